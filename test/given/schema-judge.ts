import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Schema = Readonly<Record<string, unknown>>;

/** Violations of a JSON Schema (draft 2020-12) in a value, one sentence each; empty if it is valid. */
export type SchemaJudge = (value: unknown) => readonly string[];

export function schemaJudge(schema: Schema): SchemaJudge {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, discriminator: false });
  addFormats.default(ajv);
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(sentence));
}

/** The same schema without additional properties in any object. */
export function closed<Part>(schema: Part): Part {
  if (Array.isArray(schema)) return schema.map(closed) as Part;
  if (schema === null || typeof schema !== 'object') return schema;
  const parts = Object.entries(schema).map(([key, part]) => [
    key,
    key === 'additionalProperties' && isOpen(part) ? false : closed(part),
  ]);
  return Object.fromEntries(parts) as Part;
}

function isOpen(part: unknown): boolean {
  return typeof part === 'object' && part !== null && Object.keys(part).length === 0;
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath || '/'} ${message} ${JSON.stringify(params)}`;
}
