import type { MessageTable } from '../protobuf/message-table.ts';

/** The calls about managed resources. Fields of identities: [1.12]; the private data of the plan in a later plan: [1.16]. */
export const resourceMessages = {
  'ValidateResourceConfig.Request': {
    typeName: [1, 'string'],
    config: [2, 'DynamicValue'],
    clientCapabilities: [3, 'ClientCapabilities'],
  },
  'UpgradeResourceState.Request': {
    typeName: [1, 'string'],
    version: [2, 'int64'],
    rawState: [3, 'RawState'],
  },
  'UpgradeResourceState.Response': {
    upgradedState: [1, 'DynamicValue'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },
  'UpgradeResourceIdentity.Request': {
    typeName: [1, 'string'],
    version: [2, 'int64'],
    rawIdentity: [3, 'RawState'],
  },
  'UpgradeResourceIdentity.Response': {
    upgradedIdentity: [1, 'ResourceIdentityData'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },
  'ReadResource.Request': {
    typeName: [1, 'string'],
    currentState: [2, 'DynamicValue'],
    private: [3, 'bytes'],
    providerMeta: [4, 'DynamicValue'],
    clientCapabilities: [5, 'ClientCapabilities'],
    currentIdentity: [6, 'ResourceIdentityData'],
  },
  'ReadResource.Response': {
    newState: [1, 'DynamicValue'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
    private: [3, 'bytes'],
    deferred: [4, 'Deferred'],
    newIdentity: [5, 'ResourceIdentityData'],
  },
  'PlanResourceChange.Request': {
    typeName: [1, 'string'],
    priorState: [2, 'DynamicValue'],
    proposedNewState: [3, 'DynamicValue'],
    config: [4, 'DynamicValue'],
    priorPrivate: [5, 'bytes'],
    providerMeta: [6, 'DynamicValue'],
    clientCapabilities: [7, 'ClientCapabilities'],
    priorIdentity: [8, 'ResourceIdentityData'],
    plannedPrivate: [9, 'bytes'],
  },
  'PlanResourceChange.Response': {
    plannedState: [1, 'DynamicValue'],
    requiresReplace: [2, 'AttributePath', 'repeated'],
    plannedPrivate: [3, 'bytes'],
    diagnostics: [4, 'Diagnostic', 'repeated'],
    deferred: [6, 'Deferred'],
    plannedIdentity: [7, 'ResourceIdentityData'],
  },
  'ApplyResourceChange.Request': {
    typeName: [1, 'string'],
    priorState: [2, 'DynamicValue'],
    plannedState: [3, 'DynamicValue'],
    config: [4, 'DynamicValue'],
    plannedPrivate: [5, 'bytes'],
    providerMeta: [6, 'DynamicValue'],
    plannedIdentity: [7, 'ResourceIdentityData'],
  },
  'ApplyResourceChange.Response': {
    newState: [1, 'DynamicValue'],
    private: [2, 'bytes'],
    diagnostics: [3, 'Diagnostic', 'repeated'],
    newIdentity: [5, 'ResourceIdentityData'],
  },
  'ImportResourceState.Request': {
    typeName: [1, 'string'],
    id: [2, 'string'],
    clientCapabilities: [3, 'ClientCapabilities'],
    identity: [4, 'ResourceIdentityData'],
  },
  ImportedResource: {
    typeName: [1, 'string'],
    state: [2, 'DynamicValue'],
    private: [3, 'bytes'],
    identity: [4, 'ResourceIdentityData'],
  },
  'ImportResourceState.Response': {
    importedResources: [1, 'ImportedResource', 'repeated'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
    deferred: [3, 'Deferred'],
  },
  /** [1.14] */
  'GenerateResourceConfig.Request': { typeName: [1, 'string'], state: [2, 'DynamicValue'] },
  'GenerateResourceConfig.Response': {
    config: [1, 'DynamicValue'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
  },
  'MoveResourceState.Request': {
    sourceProviderAddress: [1, 'string'],
    sourceTypeName: [2, 'string'],
    sourceSchemaVersion: [3, 'int64'],
    sourceState: [4, 'RawState'],
    targetTypeName: [5, 'string'],
    sourcePrivate: [6, 'bytes'],
    sourceIdentity: [7, 'RawState'],
    sourceIdentitySchemaVersion: [8, 'int64'],
  },
  'MoveResourceState.Response': {
    targetState: [1, 'DynamicValue'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
    targetPrivate: [3, 'bytes'],
    targetIdentity: [4, 'ResourceIdentityData'],
  },
} as const satisfies MessageTable;
