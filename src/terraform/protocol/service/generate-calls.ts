import { hasErrorDiagnostics } from '../provider/diagnostic.ts';
import { completeValue, memberOf } from '../rules/complete.ts';
import { mapElements } from '../rules/elements.ts';
import { type Attribute, isNested } from '../schema/attribute.ts';
import type { BlockBody } from '../schema/schema.ts';
import { typeOfAttribute } from '../schema/type-of-schema.ts';
import { isSameValue } from '../value/same-value.ts';
import { type RecordValue, recordOf, type Value } from '../value/value.ts';
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

/**
 * The configuration that plans no change for a state: without computed values, defaults, and values that the schema
 * refuses in configuration.
 */
function generatedConfig(body: BlockBody, state: RecordValue): RecordValue {
  const attributes = Object.entries(body.attributes ?? {}).map(
    ([name, attribute]) => [name, configured(attribute, memberOf(state, name))] as const,
  );
  const blocks = Object.entries(body.blocks ?? {}).map(([name, block]) => {
    const value = mapElements(block.nesting, block, memberOf(state, name), {}, ({ value: each }) =>
      generatedConfig(block, each),
    );
    return [name, value] as const;
  });
  return completeValue(body, recordOf([...attributes, ...blocks])) as RecordValue;
}

function configured(attribute: Attribute, value: Value): Value {
  if (value === null || attribute.writeOnly) return null;
  if (attribute.required !== true && attribute.optional !== true) return null;
  if (isNested(attribute)) {
    return mapElements(attribute.nested, attribute, value, {}, ({ value: each }) =>
      generatedConfig(attribute, each),
    );
  }
  if (attribute.required) return value;
  const { default: usual = null, validate = [] } = attribute;
  if (usual !== null && isSameValue(typeOfAttribute(attribute), usual, value)) return null;
  return validate.some((rule) => rule.check(value) !== null) ? null : value;
}
