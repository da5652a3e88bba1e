import type { MessageTable } from '../protobuf/message-table.ts';

/** The calls about the provider itself, data sources, ephemeral resources and functions. */
export const callMessages = {
  'ValidateProviderConfig.Request': { config: [1, 'DynamicValue'] },
  'ValidateProviderConfig.Response': { diagnostics: [2, 'Diagnostic', 'repeated'] },
  'ConfigureProvider.Request': {
    terraformVersion: [1, 'string'],
    config: [2, 'DynamicValue'],
    clientCapabilities: [3, 'ClientCapabilities'],
  },
  'StopProvider.Response': { error: [1, 'string'] },
  'ValidateConfig.Request': { typeName: [1, 'string'], config: [2, 'DynamicValue'] },
  'ReadDataSource.Request': {
    typeName: [1, 'string'],
    config: [2, 'DynamicValue'],
    providerMeta: [3, 'DynamicValue'],
    clientCapabilities: [4, 'ClientCapabilities'],
  },
  'ReadDataSource.Response': {
    state: [1, 'DynamicValue'],
    diagnostics: [2, 'Diagnostic', 'repeated'],
    deferred: [3, 'Deferred'],
  },
  'OpenEphemeralResource.Request': {
    typeName: [1, 'string'],
    config: [2, 'DynamicValue'],
    clientCapabilities: [3, 'ClientCapabilities'],
  },
  'OpenEphemeralResource.Response': {
    diagnostics: [1, 'Diagnostic', 'repeated'],
    renewAt: [2, 'Timestamp'],
    result: [3, 'DynamicValue'],
    private: [4, 'bytes', 'optional'],
    deferred: [5, 'Deferred'],
  },
  'EphemeralResource.Request': { typeName: [1, 'string'], private: [2, 'bytes', 'optional'] },
  'RenewEphemeralResource.Response': {
    diagnostics: [1, 'Diagnostic', 'repeated'],
    renewAt: [2, 'Timestamp'],
    private: [3, 'bytes', 'optional'],
  },
  'CallFunction.Request': { name: [1, 'string'], arguments: [2, 'DynamicValue', 'repeated'] },
  'CallFunction.Response': { result: [1, 'DynamicValue'], error: [2, 'FunctionError'] },
  FunctionError: { text: [1, 'string'], functionArgument: [2, 'int64', 'optional'] },
} as const satisfies MessageTable;
