import { type Diagnostic, errorDiagnostic, hasErrorDiagnostics } from '../provider/diagnostic.ts';
import type { Resource } from '../provider/resource.ts';
import { faultsOfState } from '../rules/check-state.ts';
import { completeValue } from '../rules/complete.ts';
import type { RecordValue } from '../value/value.ts';
import { deferralOf } from './deferral.ts';
import { defectDiagnostics, sentDiagnostics } from './diagnostics.ts';
import { guarded } from './guard.ts';
import type { Handlers } from './handler.ts';
import { identityOf, receivedIdentity, sentIdentity } from './identity-data.ts';
import { notConfigured, nothingGiven, unknownTypeDiagnostic } from './refusals.ts';
import { privateTo, rawJson, sentRecord } from './wire-value.ts';

/** The calls that import existing resources. */
export const importCalls: Handlers<'ImportResourceState' | 'MoveResourceState'> = {
  ImportResourceState: async (session, request, signal) => {
    const { typeName, clientCapabilities } = request;
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
    const { deferred, diagnostics: ofDeferral } = deferralOf(reply.deferred, clientCapabilities);
    const checked = partialState(resource, reply.state);
    const diagnostics = [...(reply.diagnostics ?? []), ...ofDeferral];
    if (hasErrorDiagnostics(diagnostics)) return refuse(diagnostics);
    if (checked.state === null && deferred === undefined)
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
      ...(deferred === undefined ? {} : { deferred }),
      ...refuse(diagnostics),
    };
  },

  MoveResourceState: async (session, request) => {
    const resource = session.resource(request.targetTypeName);
    if (resource === null) return unknownTypeDiagnostic('resource type', request.targetTypeName);
    const { schema, identity } = resource;
    const refuse = (diagnostics: readonly Diagnostic[]) => ({
      diagnostics: sentDiagnostics(schema, diagnostics),
    });
    const from = `${request.sourceTypeName} of ${request.sourceProviderAddress}`;
    const source = (resource.move ?? []).find(
      ({ type, provider }) =>
        type === request.sourceTypeName &&
        (provider ?? request.sourceProviderAddress) === request.sourceProviderAddress,
    );
    const raw = rawJson(request.sourceState);
    if (source === undefined || raw === undefined)
      return refuse([errorDiagnostic(`${request.targetTypeName} can't take over the state of ${from}`)]);
    const doing = `Moving ${from} to ${request.targetTypeName}`;
    const reply = await guarded(doing, () => source.convert(raw));
    const diagnostics = reply.diagnostics ?? [];
    if (hasErrorDiagnostics(diagnostics)) return refuse(diagnostics);
    const { state, faults } = partialState(resource, reply.state);
    if (state === null) return refuse([...diagnostics, ...defectDiagnostics(`${doing} failed`, faults)]);
    const targetIdentity = identityOf(identity, state);
    return {
      targetState: sentRecord(state, schema),
      ...(targetIdentity === undefined ? {} : { targetIdentity }),
      ...refuse(diagnostics),
    };
  },
};

/** A state that a read will complete, or why it is invalid. */
function partialState<Client>({ schema }: Resource<Client>, given: RecordValue | undefined) {
  if (given === undefined) return { state: null, faults: [nothingGiven] };
  const state = completeValue(schema, given) as RecordValue;
  const faults = faultsOfState(schema, state, { isPartial: true });
  return faults.length > 0 ? { state: null, faults } : { state, faults };
}
