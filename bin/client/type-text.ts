/** A schema of an OpenAPI 3.1 document, as far as the server's has them. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly default?: unknown;
}

/** Whether an object is sent to the server or comes from it: fields with a default are optional when sent. */
export type Direction = 'given' | 'answered';

/** The TypeScript type of a schema. */
export function typeText(schema: JsonSchema, direction: Direction): string {
  const { $ref, type, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ');
  const union = anyOf ?? oneOf;
  if (union !== undefined) return union.map((each) => typeText(each, direction)).join(' | ');
  if (allOf !== undefined) return allOf.map((each) => typeText(each, direction)).join(' & ');
  if (Array.isArray(type)) {
    const each = (one: string) => typeText({ ...schema, type: one }, direction);
    return (type as readonly string[]).map(each).join(' | ');
  }
  switch (type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `readonly (${typeText(schema.items ?? {}, direction)})[]`;
    case 'object':
      return objectText(schema, direction);
    default:
      return 'unknown';
  }
}

function objectText(schema: JsonSchema, direction: Direction): string {
  const { properties = {}, additionalProperties: others } = schema;
  const members = Object.entries(properties).map(([name, each]) =>
    memberText(name, each, schema.required?.includes(name) !== true, direction),
  );
  if (members.length > 0) return `{ ${members.join(' ')} }`;
  const value = typeof others === 'object' ? typeText(others, direction) : 'unknown';
  return `Readonly<Record<string, ${value}>>`;
}

export function memberText(
  name: string,
  schema: JsonSchema,
  isOptional: boolean,
  direction: Direction,
): string {
  const key = /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
  const text = typeText(schema, direction);
  const canLeaveOut = isOptional || (direction === 'given' && schema.default !== undefined);
  if (!canLeaveOut) return `readonly ${key}: ${text};`;
  return direction === 'given' ? `readonly ${key}?: ${text} | undefined;` : `readonly ${key}?: ${text};`;
}
