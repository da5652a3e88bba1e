import type { MessageTable } from '../protobuf/message-table.ts';

/** The calls about list resources. [1.13] */
export const listMessages = {
  'ValidateListResourceConfig.Request': {
    typeName: [1, 'string'],
    config: [2, 'DynamicValue'],
    includeResourceObject: [3, 'DynamicValue'],
    limit: [4, 'DynamicValue'],
  },
  'ListResource.Request': {
    typeName: [1, 'string'],
    config: [2, 'DynamicValue'],
    includeResourceObject: [3, 'bool'],
    limit: [4, 'int64'],
  },
  'ListResource.Event': {
    identity: [1, 'ResourceIdentityData'],
    displayName: [2, 'string'],
    resourceObject: [3, 'DynamicValue', 'optional'],
    diagnostic: [4, 'Diagnostic', 'repeated'],
  },
} as const satisfies MessageTable;
