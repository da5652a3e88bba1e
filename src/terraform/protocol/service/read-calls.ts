import { defined } from '../../../core/lib/defined.ts';
import type { Received, SentMessage } from '../messages/messages.ts';
import {
  type Diagnostic,
  errorDiagnostic,
  hasErrorDiagnostics,
  type Promised,
  type ProviderCall,
  type Reply,
} from '../provider/call.ts';
import type { FoundObject } from '../provider/list-resource.ts';
import type { Resource } from '../provider/resource.ts';
import { completeValue, faultsOfState } from '../rules/complete.ts';
import { type Attribute, isNested, type Schema } from '../schema/schema.ts';
import { isSameValue } from '../value/same-value.ts';
import { type RecordValue, recordOf, type Value } from '../value/value.ts';
import {
  defectDiagnostics,
  guarded,
  notConfigured,
  nothingGiven,
  refusalOf,
  sentDiagnostics,
  unknownTypeDiagnostic,
} from './diagnostics.ts';
import {
  type Handlers,
  privateTo,
  receivedConfig,
  receivedRecord,
  type StreamHandlers,
  sentRecord,
  validation,
} from './handler.ts';
import { identityOf, receivedIdentity, sentIdentity } from './identity-data.ts';

export const dataSourceCalls: Handlers<'ValidateDataResourceConfig' | 'ReadDataSource'> = {
  ValidateDataResourceConfig: (session, { typeName, config }) =>
    validation('data source', typeName, session.dataSource(typeName), config),

  ReadDataSource: async (session, { typeName, config }, signal) => {
    const source = session.dataSource(typeName);
    if (source === null) return unknownTypeDiagnostic('data source', typeName);
    const read = await producedValue(session.callWith(signal), {
      schema: source.schema,
      config,
      doing: `Reading ${typeName}`,
      what: `data of ${typeName}`,
      make: (given, call) => source.read(given, call),
    });
    return defined({ state: read.value, diagnostics: read.diagnostics });
  },
};

interface Asked<Client> {
  readonly schema: Schema;
  readonly config: Received<'DynamicValue'> | undefined;
  readonly doing: string;
  readonly what: string;
  make(config: RecordValue, call: ProviderCall<Client>): Promised<Reply & { readonly state?: RecordValue }>;
}

/** A value that a handler makes of a configuration, ready to send; none after an error. */
export async function producedValue<Client>(
  call: ProviderCall<Client> | null,
  { schema, config, doing, what, make }: Asked<Client>,
): Promise<SentMessage<'Diagnostics'> & { readonly value?: SentMessage<'DynamicValue'> }> {
  const report = (diagnostics: readonly Diagnostic[]) => ({
    diagnostics: sentDiagnostics(schema, diagnostics),
  });
  if (call === null) return report([notConfigured]);
  const given = receivedRecord(config, schema) ?? {};
  const { state, diagnostics = [] } = await guarded(doing, () => make(given, call));
  if (hasErrorDiagnostics(diagnostics)) return report(diagnostics);
  const whole = state && (completeValue(schema, state) as RecordValue);
  const faults = whole === undefined ? [nothingGiven] : faultsOfState(schema, whole);
  if (whole === undefined || faults.length > 0)
    return report([...diagnostics, ...defectDiagnostics(`Invalid ${what}`, faults)]);
  return { value: sentRecord(whole, schema), ...report(diagnostics) };
}

export const listCalls: Handlers<'ValidateListResourceConfig'> = {
  ValidateListResourceConfig: (session, { typeName, config }) =>
    validation('list resource', typeName, session.list(typeName), config),
};

export const listStreams: StreamHandlers<'ListResource'> = {
  async *ListResource(session, request, signal) {
    const { typeName, limit, includeResourceObject } = request;
    const list = session.list(typeName);
    const resource = session.resource(typeName);
    if (list === null || resource === null) {
      yield { diagnostic: unknownTypeDiagnostic('list resource', typeName).diagnostics };
      return;
    }
    const report = (diagnostics: readonly Diagnostic[]): SentMessage<'ListResource.Event'> => ({
      diagnostic: sentDiagnostics(list.schema, diagnostics),
    });
    const call = session.callWith(signal);
    if (call === null) {
      yield report([notConfigured]);
      return;
    }
    const config = receivedConfig(request.config, list.schema);
    const reply = await guarded(`Listing ${typeName}`, () => list.list(config, call));
    const diagnostics = reply.diagnostics ?? [];
    if (diagnostics.length > 0) yield report(diagnostics);
    if (hasErrorDiagnostics(diagnostics)) return;
    let left = limit > 0n ? limit : null;
    for (const found of reply.found ?? []) {
      if (left === 0n || call.signal.aborted) return;
      if (left !== null) left -= 1n;
      const event = eventOf(typeName, resource, found, includeResourceObject);
      yield event;
      if ((event.diagnostic ?? []).length > 0) return;
    }
  },
};

/** One object, or a defect of the provider instead of it. */
function eventOf<Client>(
  typeName: string,
  { schema, identity }: Resource<Client>,
  { displayName, state: given }: FoundObject<RecordValue>,
  includeResourceObject: boolean,
): SentMessage<'ListResource.Event'> {
  const state = completeValue(schema, given) as RecordValue;
  const faults = faultsOfState(schema, state);
  const found = faults.length > 0 ? undefined : identityOf(identity, state);
  if (found === undefined) {
    const missing = { path: [], fault: 'has no identity' };
    const defects = defectDiagnostics(
      `Invalid result of ${typeName}`,
      faults.length > 0 ? faults : [missing],
    );
    return { diagnostic: sentDiagnostics(schema, defects) };
  }
  return {
    identity: found,
    displayName: displayName.toWellFormed(),
    ...(includeResourceObject ? { resourceObject: sentRecord(state, schema) } : {}),
  };
}

/** The calls that import existing resources. */
export const importCalls: Handlers<'ImportResourceState' | 'MoveResourceState'> = {
  ImportResourceState: async (session, request, signal) => {
    const { typeName } = request;
    const resource = session.resource(typeName);
    if (resource === null) return unknownTypeDiagnostic('resource type', typeName);
    const { schema, identity } = resource;
    const refuse = (diagnostics: readonly Diagnostic[]) => ({
      diagnostics: sentDiagnostics(schema, diagnostics),
    });
    const call = session.callWith(signal);
    if (call === null) return refuse([notConfigured]);
    const doImport = resource.import;
    if (doImport === undefined) return refuse([errorDiagnostic(`${typeName} can't be imported`)]);
    const named = receivedIdentity(identity, request.identity);
    const reply = await guarded(`Importing ${typeName}`, () =>
      doImport(named === null ? { by: 'id', id: request.id } : { by: 'identity', identity: named }, call),
    );
    const checked = partialState(resource, reply.state);
    const diagnostics = reply.diagnostics ?? [];
    if (hasErrorDiagnostics(diagnostics)) return refuse(diagnostics);
    if (checked.state === null)
      return refuse([...diagnostics, ...defectDiagnostics(`Invalid import of ${typeName}`, checked.faults)]);
    const found = sentIdentity(identity, named) ?? identityOf(identity, checked.state);
    const imported = {
      typeName,
      state: sentRecord(checked.state, schema),
      private: privateTo(reply.private, undefined),
      ...(found === undefined ? {} : { identity: found }),
    };
    return {
      importedResources: [imported],
      ...refuse(diagnostics),
    };
  },

  MoveResourceState: (_session, request) =>
    refusalOf(
      `${request.targetTypeName} can't take over the state of ${request.sourceTypeName} of ${request.sourceProviderAddress}`,
    ),
};

/** A state that a read will complete, or why it is invalid. */
function partialState<Client>({ schema }: Resource<Client>, given: RecordValue | undefined) {
  if (given === undefined) return { state: null, faults: [nothingGiven] };
  const state = completeValue(schema, given) as RecordValue;
  const faults = faultsOfState(schema, state, { isPartial: true });
  return faults.length > 0 ? { state: null, faults } : { state, faults };
}

/** The call that writes configuration for imported objects. */
export const generateCalls: Handlers<'GenerateResourceConfig'> = {
  GenerateResourceConfig: async (session, request) => {
    const resource = session.resource(request.typeName);
    if (resource === null) return unknownTypeDiagnostic('resource type', request.typeName);
    const { schema } = resource;
    const state = receivedRecord(request.state, schema);
    if (state === null) return { config: sentRecord(null, schema) };
    const reply = await guarded(`Generating configuration for ${request.typeName}`, () => {
      const leftOut = new Set(resource.leftOut?.(state));
      const config = Object.entries(generatedConfig(schema, state));
      return { config: recordOf(config.map(([name, value]) => [name, leftOut.has(name) ? null : value])) };
    });
    const diagnostics = reply.diagnostics ?? [];
    const config: RecordValue | null = hasErrorDiagnostics(diagnostics) ? null : (reply.config ?? null);
    return { config: sentRecord(config, schema), diagnostics: sentDiagnostics(schema, diagnostics) };
  },
};

/**
 * The configuration that plans no change for a state: without computed values, defaults, and values that the schema
 * refuses in configuration.
 */
function generatedConfig({ attributes = {} }: Schema, state: RecordValue): RecordValue {
  return recordOf(
    Object.entries(state).map(([name, value]) => {
      const attribute = attributes[name];
      return [name, attribute === undefined ? value : configured(attribute, value)] as const;
    }),
  );
}

function configured(attribute: Attribute, value: Value): Value {
  if (value === null || isNested(attribute)) return null;
  const { required, optional, default: usual = null, validate = [] } = attribute;
  if (required) return value;
  if (!optional || (usual !== null && isSameValue(attribute.type, usual, value))) return null;
  return validate.some((rule) => rule.check(value) !== null) ? null : value;
}
