import type { MessageName } from './messages.ts';

/**
 * The methods of `tfplugin6.Provider` with one response, with their request and response messages. The transport answers
 * unlisted methods (state stores) as unimplemented.
 */
export const methods = {
  GetMetadata: ['Empty', 'GetMetadata.Response'],
  GetProviderSchema: ['Empty', 'GetProviderSchema.Response'],
  GetResourceIdentitySchemas: ['Empty', 'GetResourceIdentitySchemas.Response'],
  GetFunctions: ['Empty', 'GetFunctions.Response'],
  ValidateProviderConfig: ['ValidateProviderConfig.Request', 'ValidateProviderConfig.Response'],
  ConfigureProvider: ['ConfigureProvider.Request', 'Diagnostics'],
  StopProvider: ['Empty', 'StopProvider.Response'],
  ValidateResourceConfig: ['ValidateResourceConfig.Request', 'Diagnostics'],
  UpgradeResourceState: ['UpgradeResourceState.Request', 'UpgradeResourceState.Response'],
  UpgradeResourceIdentity: ['UpgradeResourceIdentity.Request', 'UpgradeResourceIdentity.Response'],
  ReadResource: ['ReadResource.Request', 'ReadResource.Response'],
  PlanResourceChange: ['PlanResourceChange.Request', 'PlanResourceChange.Response'],
  ApplyResourceChange: ['ApplyResourceChange.Request', 'ApplyResourceChange.Response'],
  ImportResourceState: ['ImportResourceState.Request', 'ImportResourceState.Response'],
  MoveResourceState: ['MoveResourceState.Request', 'MoveResourceState.Response'],
  GenerateResourceConfig: ['GenerateResourceConfig.Request', 'GenerateResourceConfig.Response'],
  ValidateDataResourceConfig: ['ValidateConfig.Request', 'Diagnostics'],
  ReadDataSource: ['ReadDataSource.Request', 'ReadDataSource.Response'],
  ValidateEphemeralResourceConfig: ['ValidateConfig.Request', 'Diagnostics'],
  OpenEphemeralResource: ['OpenEphemeralResource.Request', 'OpenEphemeralResource.Response'],
  RenewEphemeralResource: ['EphemeralResource.Request', 'RenewEphemeralResource.Response'],
  CloseEphemeralResource: ['EphemeralResource.Request', 'Diagnostics'],
  CallFunction: ['CallFunction.Request', 'CallFunction.Response'],
  ValidateListResourceConfig: ['ValidateListResourceConfig.Request', 'Diagnostics'],
  ValidateActionConfig: ['ValidateActionConfig.Request', 'Diagnostics'],
  PlanAction: ['PlanAction.Request', 'PlanAction.Response'],
} as const satisfies MethodTable;

/** The methods that answer with a stream, with their request messages and the message of each event. */
export const streams = {
  ListResource: ['ListResource.Request', 'ListResource.Event'],
  InvokeAction: ['InvokeAction.Request', 'InvokeAction.Event'],
} as const satisfies MethodTable;

type MethodTable = Readonly<Record<string, readonly [MessageName, MessageName]>>;

export type MethodName = keyof typeof methods;
export type StreamName = keyof typeof streams;
