/** A JSON Schema, as far as the tables of the server API show it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
}

/** The type of a field with its limits: `string, 1 to 500 characters`. */
export function typeWords(schema: JsonSchema): string {
  const { $ref, anyOf, type } = schema;
  if ($ref !== undefined) return `[\`${nameOf($ref)}\`](#${nameOf($ref).toLowerCase()})`;
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeWords))].join(' or ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((each) => `\`${String(each)}\``).join(', ');
  if (typeof type === 'object') return type.map((each) => typeWords({ ...schema, type: each })).join(' or ');
  switch (type) {
    case 'string':
      return schema.format === 'date-time'
        ? 'time (RFC 3339)'
        : `string${range(schema.minLength, schema.maxLength, ' characters')}`;
    case 'array':
      return `list${ofMany(schema.items)}${range(schema.minItems, schema.maxItems, ' items')}`;
    case 'object':
      return typeof schema.additionalProperties === 'object'
        ? `object${ofMany(schema.additionalProperties)}`
        : 'object';
    case 'integer':
      return `integer${range(schema.minimum, schema.maximum, '')}`;
    default:
      return type ?? 'any';
  }
}

/** ` of strings`, as a part of the type of a list or an object. */
function ofMany(each: JsonSchema | undefined): string {
  if (each?.$ref !== undefined) return ` of ${typeWords(each)}`;
  if (each?.enum !== undefined) return ` of ${typeWords(each)}`;
  return typeof each?.type === 'string' ? ` of ${each.type}s` : ' of values';
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const number = (value: number) => value.toLocaleString('en');
  if (most !== undefined && most < Number.MAX_SAFE_INTEGER)
    return `, ${least === undefined ? 'at most ' : `${number(least)} to `}${number(most)}${unit}`;
  return least === undefined || least <= 1 ? '' : `, at least ${number(least)}${unit}`;
}

/** The name in `#/components/schemas/Name`. */
export function nameOf($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/** A row for each field of an object, and of the objects in it and in its lists. */
export function membersOf(top: JsonSchema): readonly (readonly string[])[] {
  const rowsOf = (schema: JsonSchema, prefix: string): readonly (readonly string[])[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
      const { own, suffix } = objectIn(each);
      return [
        [
          `\`${prefix}${name}\``,
          typeWords(each),
          schema.required?.includes(name) === true ? 'yes' : 'no',
          each.description ?? '',
        ],
        ...rowsOf(own, `${prefix}${name}${suffix}.`),
      ];
    });
  return rowsOf(top, '');
}

/** The object that contains a field's own fields: its own, one that may be null, or that of its list. */
function objectIn(schema: JsonSchema): { readonly own: JsonSchema; readonly suffix: string } {
  const own = schema.anyOf?.find(({ properties }) => properties !== undefined) ?? schema;
  if (own.items === undefined) return { own, suffix: '' };
  const inner = objectIn(own.items);
  return { own: inner.own, suffix: `[]${inner.suffix}` };
}
