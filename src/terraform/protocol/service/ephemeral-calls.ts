import type { SentMessage } from '../messages/messages.ts';
import { type Diagnostic, hasErrorDiagnostics } from '../provider/diagnostic.ts';
import { computedFrom } from './data-source-calls.ts';
import { deferralOf } from './deferral.ts';
import { defectDiagnostics, sentDiagnostics } from './diagnostics.ts';
import { guarded } from './guard.ts';
import type { Handlers } from './handler.ts';
import { notConfigured, unknownTypeDiagnostic } from './refusals.ts';
import { validated } from './validated.ts';
import { privateFrom, privateTo, receivedRecord, sentRecord } from './wire-value.ts';

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
    const { deferred, diagnostics: ofDeferral } = deferralOf(reply.deferred, request.clientCapabilities);
    const diagnostics = [...(reply.diagnostics ?? []), ...ofDeferral];
    if (deferred !== undefined) return { ...refuse(diagnostics), deferred };
    if (hasErrorDiagnostics(diagnostics)) return refuse(diagnostics);
    const { state, faults } = computedFrom(schema, config, reply.result);
    if (state === null)
      return refuse([...diagnostics, ...defectDiagnostics(`Invalid result of ${request.typeName}`, faults)]);
    return { result: sentRecord(state, schema), ...renewalOf(reply), ...refuse(diagnostics) };
  },

  RenewEphemeralResource: async (session, request, signal) => {
    const ephemeral = session.ephemeral(request.typeName);
    if (ephemeral === null) return unknownTypeDiagnostic('ephemeral resource', request.typeName);
    const { schema, renew } = ephemeral;
    const call = session.callWith(signal);
    if (call === null) return { diagnostics: sentDiagnostics(schema, [notConfigured]) };
    if (renew === undefined) return renewalOf({}, request.private);
    const reply = await guarded(`Renewing ${request.typeName}`, () =>
      renew({ private: privateFrom(request.private) }, call),
    );
    return {
      ...renewalOf(reply, request.private),
      diagnostics: sentDiagnostics(schema, reply.diagnostics ?? []),
    };
  },

  CloseEphemeralResource: async (session, request, signal) => {
    const ephemeral = session.ephemeral(request.typeName);
    if (ephemeral === null) return unknownTypeDiagnostic('ephemeral resource', request.typeName);
    const { schema, close } = ephemeral;
    const call = session.callWith(signal);
    if (call === null) return { diagnostics: sentDiagnostics(schema, [notConfigured]) };
    if (close === undefined) return {};
    const reply = await guarded(`Closing ${request.typeName}`, () =>
      close({ private: privateFrom(request.private) }, call),
    );
    return { diagnostics: sentDiagnostics(schema, reply.diagnostics ?? []) };
  },
};

function renewalOf(
  reply: { readonly renewAt?: Date | undefined; readonly private?: unknown },
  before?: Uint8Array,
): Pick<SentMessage<'RenewEphemeralResource.Response'>, 'renewAt' | 'private'> {
  const { renewAt } = reply;
  const kept = privateTo(reply.private, before);
  return {
    ...(renewAt === undefined ? {} : { renewAt: timestampOf(renewAt) }),
    ...(kept.length === 0 ? {} : { private: kept }),
  };
}

function timestampOf(date: Date): SentMessage<'Timestamp'> {
  const milliseconds = date.getTime();
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: BigInt(seconds), nanos: (milliseconds - seconds * 1000) * 1_000_000 };
}
