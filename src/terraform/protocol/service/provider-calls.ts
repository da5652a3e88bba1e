import type { SentMessage } from '../messages/messages.ts';
import { hasErrorDiagnostics } from '../provider/call.ts';
import type { Provider } from '../provider/provider.ts';
import { schemaMessage } from '../schema/schema.ts';
import { guarded, sentDiagnostics } from './diagnostics.ts';
import { functionMessage } from './function-calls.ts';
import { type Handlers, receivedRecord, validated } from './handler.ts';
import { identitySchemaMessage } from './identity-data.ts';

/** The calls about the provider as a whole. */
export const providerCalls: Handlers<
  | 'GetMetadata'
  | 'GetProviderSchema'
  | 'GetResourceIdentitySchemas'
  | 'ValidateProviderConfig'
  | 'ConfigureProvider'
  | 'StopProvider'
> = {
  GetMetadata: ({ provider }) => ({
    serverCapabilities: capabilitiesOf(provider),
    resources: namesOf(provider.resources),
    dataSources: namesOf(provider.dataSources),
    functions: namesOf(provider.functions),
    ephemeralResources: namesOf(provider.ephemerals),
    listResources: namesOf(provider.lists),
    actions: namesOf(provider.actions),
  }),

  GetProviderSchema: ({ provider }) => ({
    provider: schemaMessage(provider.schema),
    resourceSchemas: mapValues(provider.resources, ({ schema }) => schemaMessage(schema)),
    dataSourceSchemas: mapValues(provider.dataSources, ({ schema }) => schemaMessage(schema)),
    ephemeralResourceSchemas: mapValues(provider.ephemerals, ({ schema }) => schemaMessage(schema)),
    listResourceSchemas: mapValues(provider.lists, ({ schema }) => schemaMessage(schema)),
    actionSchemas: mapValues(provider.actions, ({ schema }) => ({ schema: schemaMessage(schema) })),
    functions: mapValues(provider.functions, functionMessage),
    serverCapabilities: capabilitiesOf(provider),
  }),

  GetResourceIdentitySchemas: ({ provider }) => ({
    identitySchemas: Object.fromEntries(
      Object.entries(provider.resources ?? {}).flatMap(([name, { identity }]) =>
        identity === undefined ? [] : [[name, identitySchemaMessage(identity)]],
      ),
    ),
  }),

  ValidateProviderConfig: async ({ provider }, request) => {
    const config = receivedRecord(request.config, provider.schema) ?? {};
    return { diagnostics: await validated(provider, config) };
  },

  ConfigureProvider: async (session, request) => {
    const { provider } = session;
    const config = receivedRecord(request.config, provider.schema) ?? {};
    const reply = await guarded('Configuring the provider', () => provider.configure(config));
    const diagnostics = reply.diagnostics ?? [];
    if (!hasErrorDiagnostics(diagnostics) && reply.client !== undefined) session.configured(reply.client);
    return { diagnostics: sentDiagnostics(provider.schema, diagnostics) };
  },

  StopProvider: (session) => {
    session.stop();
    return {};
  },
};

function capabilitiesOf<Client>({ resources = {} }: Provider<Client>): SentMessage<'ServerCapabilities'> {
  const all = Object.values(resources);
  return {
    planDestroy: all.some((each) => each.planDelete !== undefined),
    getProviderSchemaOptional: true,
    generateResourceConfig: all.length > 0,
  };
}

function mapValues<T, U>(record: Readonly<Record<string, T>> | undefined, map: (value: T) => U) {
  return Object.fromEntries(Object.entries(record ?? {}).map(([name, value]) => [name, map(value)]));
}

function namesOf(record: Readonly<Record<string, unknown>> | undefined) {
  return Object.keys(record ?? {}).map((name) => ({ name }));
}
