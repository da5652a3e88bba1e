import type { SentMessage } from '../messages/messages.ts';
import { type Diagnostic, hasErrorDiagnostics } from '../provider/call.ts';
import type { FoundObject } from '../provider/list-resource.ts';
import type { Resource } from '../provider/resource.ts';
import { faultsOfState } from '../rules/check-state.ts';
import { completeValue } from '../rules/complete.ts';
import type { RecordValue } from '../value/value.ts';
import {
  defectDiagnostics,
  guarded,
  notConfigured,
  sentDiagnostics,
  unknownTypeDiagnostic,
} from './diagnostics.ts';
import type { Handlers, StreamHandlers } from './handler.ts';
import { identityOf } from './identity-data.ts';
import { validation } from './validated.ts';
import { receivedConfig, sentRecord } from './wire-value.ts';

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
