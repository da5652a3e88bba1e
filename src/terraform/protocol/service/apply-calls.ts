import type { SentMessage } from '../messages/messages.ts';
import { type Diagnostic, hasErrorDiagnostics } from '../provider/call.ts';
import { faultsOfState } from '../rules/check-state.ts';
import { completeValue } from '../rules/complete.ts';
import { storable } from '../rules/storable.ts';
import { typeOfBody } from '../schema/schema.ts';
import { faultsOfType } from '../value/conformity.ts';
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
import { identityOf } from './identity-data.ts';
import { privateFrom, privateTo, receivedRecord, sentRecord } from './wire-value.ts';

export const applyCalls: Handlers<'ApplyResourceChange'> = {
  ApplyResourceChange: async (session, request, signal) => {
    const resource = session.resource(request.typeName);
    if (resource === null) return unknownTypeDiagnostic('resource type', request.typeName);
    const { schema } = resource;
    const call = session.callWith(signal);
    const prior = receivedRecord(request.priorState, schema);
    const planned = receivedRecord(request.plannedState, schema);
    const asPlanned = privateFrom(request.plannedPrivate);

    const answer = (
      state: RecordValue | null,
      diagnostics: readonly Diagnostic[],
      ownPrivate?: unknown,
    ): SentMessage<'ApplyResourceChange.Response'> => {
      const newIdentity = identityOf(resource.identity, state);
      return {
        newState: sentRecord(state, schema),
        private: state === null ? new Uint8Array() : privateTo(ownPrivate, request.plannedPrivate),
        ...(newIdentity === undefined ? {} : { newIdentity }),
        diagnostics: sentDiagnostics(schema, diagnostics),
      };
    };

    if (call === null) return answer(prior, [notConfigured]);
    if (planned === null) {
      if (prior === null) return answer(null, []);
      const reply = await guarded(`Deleting ${request.typeName}`, () =>
        resource.delete({ state: prior, private: asPlanned }, call),
      );
      const diagnostics = reply.diagnostics ?? [];
      return answer(hasErrorDiagnostics(diagnostics) ? prior : null, diagnostics);
    }
    const change = { planned, private: asPlanned };
    const doing = `${prior === null ? 'Creating' : 'Updating'} ${request.typeName}`;
    const reply = await guarded(doing, () =>
      prior === null ? resource.create(change, call) : resource.update({ ...change, prior }, call),
    );
    const diagnostics = reply.diagnostics ?? [];
    const ownPrivate = reply.private;
    const given = reply.state;
    if (given === undefined) {
      const defects = hasErrorDiagnostics(diagnostics)
        ? []
        : defectDiagnostics(`Invalid state after: ${doing}`, [nothingGiven]);
      return answer(prior, [...diagnostics, ...defects], ownPrivate);
    }
    const state = completeValue(schema, given) as RecordValue;
    const ofType = faultsOfType(typeOfBody(schema), state);
    if (ofType.length > 0) {
      const best = prior ?? storable(planned);
      return answer(best, [...diagnostics, ...defectDiagnostics(`Invalid state after: ${doing}`, ofType)]);
    }
    // After an error, the state contains what was reached rather than what was planned.
    const broken = hasErrorDiagnostics(diagnostics) ? [] : faultsOfState(schema, state);
    return answer(
      storable(state),
      [...diagnostics, ...defectDiagnostics(`Invalid state after: ${doing}`, broken)],
      ownPrivate,
    );
  },
};
