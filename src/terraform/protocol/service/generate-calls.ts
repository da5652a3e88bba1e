import { hasErrorDiagnostics } from '../provider/call.ts';
import { type Attribute, isNested, type Schema } from '../schema/schema.ts';
import { isSameValue } from '../value/same-value.ts';
import { type RecordValue, recordOf, type Value } from '../value/value.ts';
import { guarded, sentDiagnostics, unknownTypeDiagnostic } from './diagnostics.ts';
import type { Handlers } from './handler.ts';
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
