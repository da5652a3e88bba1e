import type { MessageName } from './messages.ts';

/**
 * Every method of `tfplugin6.Provider` that is served, with its request and response messages. The transport answers
 * unlisted methods (list resources, actions, generated configuration, state stores) as unimplemented.
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
  ValidateDataResourceConfig: ['ValidateConfig.Request', 'Diagnostics'],
  ReadDataSource: ['ReadDataSource.Request', 'ReadDataSource.Response'],
  ValidateEphemeralResourceConfig: ['ValidateConfig.Request', 'Diagnostics'],
  OpenEphemeralResource: ['OpenEphemeralResource.Request', 'OpenEphemeralResource.Response'],
  RenewEphemeralResource: ['EphemeralResource.Request', 'RenewEphemeralResource.Response'],
  CloseEphemeralResource: ['EphemeralResource.Request', 'Diagnostics'],
  CallFunction: ['CallFunction.Request', 'CallFunction.Response'],
} as const satisfies Readonly<Record<string, readonly [MessageName, MessageName]>>;

export type MethodName = keyof typeof methods;
