import { hasErrorDiagnostics } from '../provider/diagnostic.ts';
import { generatedConfig } from '../rules/generated-config.ts';
import { type RecordValue, recordOf } from '../value/value.ts';
import { sentDiagnostics } from './diagnostics.ts';
import { guarded } from './guard.ts';
import type { Handlers } from './handler.ts';
import { unknownTypeDiagnostic } from './refusals.ts';
import { receivedRecord, sentRecord } from './wire-value.ts';

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
