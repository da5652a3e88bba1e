import type { MessageTable } from '../protobuf/message-table.ts';

/** Messages that several calls share. `[1.12]` and similar: the first version of Terraform with the field. */
export const sharedMessages = {
  Empty: {},
  DynamicValue: { msgpack: [1, 'bytes'], json: [2, 'bytes'] },
  Diagnostic: {
    severity: [1, 'int32'],
    summary: [2, 'string'],
    detail: [3, 'string'],
    attribute: [4, 'AttributePath'],
  },
  Diagnostics: { diagnostics: [1, 'Diagnostic', 'repeated'] },
  AttributePath: { steps: [1, 'AttributeStep', 'repeated'] },
  AttributeStep: {
    attributeName: [1, 'string', 'optional'],
    elementKeyString: [2, 'string', 'optional'],
    elementKeyInt: [3, 'int64', 'optional'],
  },
  RawState: { json: [1, 'bytes'], flatmap: [2, 'string', 'map'] },
  ServerCapabilities: {
    planDestroy: [1, 'bool'],
    getProviderSchemaOptional: [2, 'bool'],
    moveResourceState: [3, 'bool'],
    /** [1.14] */
    generateResourceConfig: [4, 'bool'],
  },
  ClientCapabilities: { deferralAllowed: [1, 'bool'], writeOnlyAttributesAllowed: [2, 'bool'] },
  Deferred: { reason: [1, 'int32'] },
  Timestamp: { seconds: [1, 'int64'], nanos: [2, 'int32'] },
  /** [1.12] */
  ResourceIdentityData: { identityData: [1, 'DynamicValue'] },
} as const satisfies MessageTable;
