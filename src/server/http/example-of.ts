/** The parts of a JSON Schema that an example depends on. */
export interface ExampleSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly anyOf?: readonly ExampleSchema[];
  readonly oneOf?: readonly ExampleSchema[];
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly required?: readonly string[];
  readonly items?: ExampleSchema;
  readonly additionalProperties?: ExampleSchema | boolean;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
}

interface ExampleOptions {
  /** The named shapes, by their name. */
  readonly shapes: Readonly<Record<string, ExampleSchema>>;
  /** Example requests leave out optional fields. */
  readonly isRequest: boolean;
}

const text = 'Kiosks get their new names.';
const hash = '906c382f1be04a7c906c382f1be04a7c906c382f1be04a7c906c382f1be04a7c';
const place = { file: 'fleet.yaml', line: 12 };

/** Texts by the name of their field, so that an example reads like a response. */
const texts: Readonly<Record<string, string>> = {
  account: 'contoso',
  name: 'contoso',
  host_id: '8123400001',
  group: 'Berlin kiosks',
  new_group: 'Lobby kiosks',
  new_name: 'BER-KIOSK-007',
  desired: 'BER-KIOSK-007',
  last: 'KIOSK-7',
  live: 'KIOSK-7-OLD',
  attribute: 'name',
  online: 'online',
  state: 'online',
  last_seen: '2026-11-23T07:41:00Z',
  order: 'swap 1: 1 of 2',
  commit: hash.slice(0, 40),
  checksum: hash,
  digest: hash,
  hash,
  author: 'Ada Lovelace <ada@example.com>',
  by: 'Ada Lovelace',
  decided_by: 'Ada Lovelace',
  email: 'ada@example.com',
  source: 'fleet',
  page: 'https://github.com/acme/fleet/pull/128',
  pull_request: 'https://github.com/acme/fleet/pull/128',
  service: 'https://remote.example.com',
  company_id: '1234567890',
  where: 'region == "eu"',
  patch:
    '--- fleet.yaml\n+++ fleet.yaml\n@@ -3 +3 @@\n-  - { id: 1, name: OLD }\n+  - { id: 1, name: NEW }\n',
  file: place.file,
  code: 'limit-exceeded',
  hint: 'approve them with --ack delete=2',
  ticket: 'CHG0031274',
  rule: 'kiosks by site',
  cause: 'ca_4f2c',
  format_version: '5.0',
  key: 'k_4f2c',
  signature: 'MEQCIDnP7Rz0',
  next: 'eyJhZnRlciI6IjQ1In0',
  token: 'rampart_example',
  id: 'pl_4f2c',
  plan: 'pl_4f2c',
  replaced_by: 'pl_5a3d',
  run: 'run_4f2c',
  undone_by: 'run_5a3d',
};

/** A value that the schema accepts: made from the schema, so that no example grows old. */
export function exampleOf(schema: ExampleSchema, options: ExampleOptions, field = '', depth = 0): unknown {
  const { shapes, isRequest } = options;
  if (schema.$ref !== undefined) {
    const shape = shapes[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    return shape === undefined ? {} : exampleOf(shape, options, field, depth + 1);
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const given = choices.find(({ type }) => type !== 'null');
    return given === undefined || depth > deepest ? null : exampleOf(given, options, field, depth + 1);
  }
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'string':
      return schema.format === 'date-time' ? '2026-11-23T08:00:00.000Z' : (texts[field] ?? text);
    case 'integer':
    case 'number':
      return schema.minimum ?? (schema.exclusiveMinimum === undefined ? 1 : schema.exclusiveMinimum + 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return schema.items === undefined || depth > deepest
        ? []
        : [exampleOf(schema.items, options, singular(field), depth + 1)];
    default:
      return Object.fromEntries(
        membersOf(schema)
          .filter(([name]) => !isRequest || schema.required?.includes(name) === true)
          .map(([name, each]) => [name, exampleOf(each, options, name, depth + 1)]),
      );
  }
}

/** The fields of an object, including those of a record whose names are known. */
function membersOf(schema: ExampleSchema): readonly (readonly [string, ExampleSchema])[] {
  const { properties = {}, required = [], additionalProperties: others } = schema;
  const more = typeof others === 'object' ? required.filter((name) => !(name in properties)) : [];
  return [...Object.entries(properties), ...more.map((name) => [name, others as ExampleSchema] as const)];
}

const deepest = 6;

/** `accounts` as `account`. */
function singular(field: string): string {
  return field.replace(/s$/, '');
}
