import { type Diagnostic, errorDiagnostic, hasErrorDiagnostics } from '../provider/call.ts';
import type { Resource } from '../provider/resource.ts';
import { faultsOfState } from '../rules/check-state.ts';
import { completeValue } from '../rules/complete.ts';
import type { RecordValue } from '../value/value.ts';
import {
  defectDiagnostics,
  guarded,
  notConfigured,
  nothingGiven,
  refusalOf,
  sentDiagnostics,
  unknownTypeDiagnostic,
} from './diagnostics.ts';
import type { Handlers } from './handler.ts';
import { identityOf, receivedIdentity, sentIdentity } from './identity-data.ts';
import { privateTo, sentRecord } from './wire-value.ts';

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
