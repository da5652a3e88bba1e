type Schema = Readonly<Record<string, unknown>>;

/** What stands in a JSON Schema and asserts nothing. */
const silent = new Set(['$schema', 'title', 'description', 'format', 'default', 'examples']);

/**
 * Where a value breaks a JSON Schema (draft 2020-12), the keywords that ours uses; undefined where it does not.
 * Throws at a keyword that it does not know, so that no part of a schema goes unheard.
 */
export function flawBySchema(schema: unknown, value: unknown, path = '$'): string | undefined {
  if (schema === true) return undefined;
  if (schema === false) return `${path} is not allowed`;
  for (const [keyword, argument] of Object.entries(schema as Schema)) {
    const flaw = flawByKeyword(schema as Schema, keyword, argument, value, path);
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function flawByKeyword(
  schema: Schema,
  keyword: string,
  argument: unknown,
  value: unknown,
  path: string,
): string | undefined {
  if (silent.has(keyword)) return undefined;
  const refuse = (broken: boolean) => (broken ? `${path} breaks ${keyword}` : undefined);
  const members = isMapping(value) ? Object.entries(value) : [];
  const items = Array.isArray(value) ? value : [];
  switch (keyword) {
    case 'type':
      return refuse(typeOf(value, argument as string) !== argument);
    case 'const':
      return refuse(value !== argument);
    case 'enum':
      return refuse(!(argument as readonly unknown[]).includes(value));
    case 'pattern':
      return refuse(typeof value === 'string' && !new RegExp(argument as string, 'u').test(value));
    case 'minimum':
      return refuse(typeof value === 'number' && value < (argument as number));
    case 'minItems':
      return refuse(Array.isArray(value) && value.length < (argument as number));
    case 'items':
      return first(items.map((item, index) => flawBySchema(argument, item, `${path}[${index}]`)));
    case 'required':
      return refuse(
        isMapping(value) && (argument as readonly string[]).some((key) => !Object.hasOwn(value, key)),
      );
    case 'properties': {
      const known = argument as Schema;
      const told = members.filter(([key]) => Object.hasOwn(known, key));
      return first(told.map(([key, member]) => flawBySchema(known[key], member, `${path}.${key}`)));
    }
    case 'additionalProperties': {
      const known = (schema['properties'] ?? {}) as Schema;
      const others = members.filter(([key]) => !Object.hasOwn(known, key));
      return first(others.map(([key, member]) => flawBySchema(argument, member, `${path}.${key}`)));
    }
    case 'propertyNames':
      return first(members.map(([key]) => flawBySchema(argument, key, `${path}.${key}`)));
    case 'anyOf':
      return refuse(
        (argument as readonly unknown[]).every((each) => flawBySchema(each, value, path) !== undefined),
      );
    case 'allOf':
      return first((argument as readonly unknown[]).map((each) => flawBySchema(each, value, path)));
    default:
      throw new Error(`nobody judges by "${keyword}"`);
  }
}

function typeOf(value: unknown, asked: string): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return asked === 'integer' && Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function isMapping(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function first(flaws: readonly (string | undefined)[]): string | undefined {
  return flaws.find((flaw) => flaw !== undefined);
}
