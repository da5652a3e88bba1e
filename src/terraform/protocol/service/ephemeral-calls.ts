import { type Diagnostic, hasErrorDiagnostics } from '../provider/diagnostic.ts';
import { completedState } from './data-source-calls.ts';
import { defectDiagnostics, sentDiagnostics } from './diagnostics.ts';
import { guarded } from './guard.ts';
import type { Handlers } from './handler.ts';
import { notConfigured, unknownTypeDiagnostic } from './refusals.ts';
import { validated } from './validated.ts';
import { receivedRecord, sentRecord } from './wire-value.ts';

export const ephemeralCalls: Handlers<
  | 'ValidateEphemeralResourceConfig'
  | 'OpenEphemeralResource'
  | 'RenewEphemeralResource'
  | 'CloseEphemeralResource'
> = {
  ValidateEphemeralResourceConfig: async (session, request) => {
    const ephemeral = session.ephemeral(request.typeName);
    if (ephemeral === null) return unknownTypeDiagnostic('ephemeral resource', request.typeName);
    return {
      diagnostics: await validated(ephemeral, receivedRecord(request.config, ephemeral.schema) ?? {}),
    };
  },

  OpenEphemeralResource: async (session, request, signal) => {
    const ephemeral = session.ephemeral(request.typeName);
    if (ephemeral === null) return unknownTypeDiagnostic('ephemeral resource', request.typeName);
    const { schema } = ephemeral;
    const refuse = (diagnostics: readonly Diagnostic[]) => ({
      diagnostics: sentDiagnostics(schema, diagnostics),
    });
    const call = session.callWith(signal);
    if (call === null) return refuse([notConfigured]);
    const config = receivedRecord(request.config, schema) ?? {};
    const reply = await guarded(`Opening ${request.typeName}`, () => ephemeral.open(config, call));
    const diagnostics = reply.diagnostics ?? [];
    if (hasErrorDiagnostics(diagnostics)) return refuse(diagnostics);
    const { state, faults } = completedState(schema, reply.result);
    if (state === null)
      return refuse([...diagnostics, ...defectDiagnostics(`Invalid result of ${request.typeName}`, faults)]);
    return { result: sentRecord(state, schema), ...refuse(diagnostics) };
  },

  // Nothing that the provider opens has to be renewed or closed.
  RenewEphemeralResource: () => ({}),
  CloseEphemeralResource: () => ({}),
};
