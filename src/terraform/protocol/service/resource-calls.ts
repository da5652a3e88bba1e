import { type Diagnostic, hasErrorDiagnostics } from '../provider/call.ts';
import { faultsOfState } from '../rules/check-state.ts';
import { completeValue } from '../rules/complete.ts';
import { typeOfBody } from '../schema/schema.ts';
import { isSameValue } from '../value/same-value.ts';
import type { RecordValue } from '../value/value.ts';
import {
  defectDiagnostics,
  guarded,
  notConfigured,
  nothingGiven,
  sentDiagnostics,
  unknownTypeDiagnostic,
} from './diagnostics.ts';
import type { Handlers } from './handler.ts';
import { identityOf, receivedIdentity } from './identity-data.ts';
import { validation } from './validated.ts';
import { privateFrom, privateTo, receivedRecord, sentRecord } from './wire-value.ts';

/** The calls about an existing resource. */
export const resourceCalls: Handlers<'ValidateResourceConfig' | 'ReadResource'> = {
  ValidateResourceConfig: (session, { typeName, config }) =>
    validation('resource type', typeName, session.resource(typeName), config),

  ReadResource: async (session, request, signal) => {
    const resource = session.resource(request.typeName);
    if (resource === null) return unknownTypeDiagnostic('resource type', request.typeName);
    const { schema, identity } = resource;
    const call = session.callWith(signal);
    const current = receivedRecord(request.currentState, schema);
    const unchanged = {
      newState: sentRecord(current, schema),
      private: request.private,
      ...(request.currentIdentity === undefined ? {} : { newIdentity: request.currentIdentity }),
    };
    const refuse = (diagnostics: readonly Diagnostic[]) => ({
      ...unchanged,
      diagnostics: sentDiagnostics(schema, diagnostics),
    });
    if (call === null) return refuse([notConfigured]);
    if (current === null) return unchanged;
    const reply = await guarded(`Reading ${request.typeName}`, () =>
      resource.read(
        {
          state: current,
          private: privateFrom(request.private),
          identity: receivedIdentity(identity, request.currentIdentity),
        },
        call,
      ),
    );
    const given = reply.state;
    const diagnostics = reply.diagnostics ?? [];
    if (hasErrorDiagnostics(diagnostics)) return refuse(diagnostics);
    const read = given === undefined || given === null ? null : (completeValue(schema, given) as RecordValue);
    const state = isSameValue(typeOfBody(schema), read, current) ? current : read;
    const defects = given === undefined ? [nothingGiven] : state === null ? [] : faultsOfState(schema, state);
    if (defects.length > 0)
      return refuse([...diagnostics, ...defectDiagnostics(`Invalid state of ${request.typeName}`, defects)]);
    const newIdentity = identityOf(identity, state);
    return {
      newState: sentRecord(state, schema),
      private: privateTo(reply.private, request.private),
      ...(newIdentity === undefined ? {} : { newIdentity }),
      diagnostics: sentDiagnostics(schema, diagnostics),
    };
  },
};
