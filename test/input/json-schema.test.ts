import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, parseDocument } from 'yaml';
import { readDesired } from '../../src/input/read-desired.ts';
import { entryFields } from '../../src/input/schema/entry-fields.ts';
import { type Fields, meaningsOf } from '../../src/input/schema/field.ts';
import * as files from '../../src/input/schema/file-fields.ts';
import { fleetFile } from '../../src/input/schema/fleet-file.ts';
import { fleetJsonSchema } from '../../src/input/schema/json-schema.ts';
import * as policies from '../../src/input/schema/policy-fields.ts';
import * as tables from '../../src/input/schema/table-fields.ts';
import { draftFleet } from '../../src/input/writing/draft-fleet.ts';
import { printYaml } from '../../src/input/writing/fleet-draft.ts';
import { casesOf } from '../given/cases.ts';
import { hostileFleets } from '../given/hostile-fleet.ts';
import { schemaJudge } from '../given/schema-judge.ts';

const flaws = schemaJudge(fleetJsonSchema());

/** Every table of keys. */
const keyTables = Object.entries<unknown>({ ...files, ...policies, ...tables, entryFields })
  .filter((each): each is [string, Fields] => Object.getPrototypeOf(each[1]) === Object.prototype)
  .map(([name, fields]) => [name, meaningsOf(fields)] as const);

describe('the JSON Schema of the desired state', () => {
  test('in the repository is up to date', () => {
    const written = readFileSync(new URL('../../schema/fleet.schema.json', import.meta.url), 'utf8');
    expect(written).toBe(`${JSON.stringify(fleetJsonSchema(), null, 2)}\n`);
  });

  test('describes every key, and allows no other', () => {
    visit(fleetJsonSchema(), (schema) => {
      if (schema['type'] !== 'object') return;
      expect(schema['additionalProperties']).toBe(false);
      for (const property of Object.values(schema['properties'] as Record<string, Record<string, unknown>>)) {
        expect(property['description']).toMatch(/[.?]$/);
      }
    });
  });

  test.each(keyTables)('has the keys of %s, all of them and no other', (_, table) => {
    const shapes: Record<string, string>[] = [];
    visit(fleetJsonSchema(), (schema) => {
      if (schema['type'] !== 'object') return;
      const properties = Object.entries(schema['properties'] as Record<string, { description: string }>);
      shapes.push(Object.fromEntries(properties.map(([key, { description }]) => [key, description])));
    });
    expect(shapes).toContainEqual(table);
  });

  test('has no object without a table of keys', () => {
    const known = new Set(keyTables.map(([, table]) => Object.keys(table).toSorted().join()));
    visit(fleetJsonSchema(), (schema) => {
      if (schema['type'] !== 'object') return;
      expect(known).toContain(
        Object.keys(schema['properties'] as object)
          .toSorted()
          .join(),
      );
    });
  });

  test('does not limit integers to the range of a double', () => {
    expect(JSON.stringify(fleetJsonSchema())).not.toContain('9007199254740991');
  });
});

/** What a file may hold by its shape, and near misses of it. */
const word = fc.constantFrom(
  'A',
  'Berlin',
  '',
  ' ',
  '5',
  '10%',
  '101%',
  '1.5%',
  'installed',
  'absent',
  'present',
);
const time = fc.constantFrom(
  '2027-01-31T00:00:00Z',
  '2027-02-30T00:00:00Z',
  '2027-01-31',
  '2027-01-31T00:00:00.5+01:00',
);
const scalar = fc.oneof(word, time, fc.constantFrom<unknown>(null, true, 0, 1, 2, -1, 1.5, 9007199254740991));
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 2 }),
  fc.record({ id: scalar }, { requiredKeys: [] }),
  fc.constant({ name: 'A' }),
);
const mostly = (sound: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 30, arbitrary: sound }, { weight: 1, arbitrary: value });
const some = (members: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[] = []) =>
  fc.record(members, { requiredKeys });
const unexpected = mostly(fc.constant(undefined));

const name = fc.constantFrom('A', 'Berlin', '5');
const limit = fc.constantFrom<unknown>('10%', '0%', '100%', '1.5%', 0, 7);
const entry = some({
  id: mostly(fc.oneof(fc.integer(), fc.constant('5'))),
  name: mostly(name),
  previously: mostly(fc.oneof(name, fc.array(name))),
  group: mostly(fc.oneof(name, fc.constant(null), fc.record({ id: fc.integer() }))),
  antivirus: mostly(fc.constant('installed')),
  ensure: mostly(fc.constantFrom('present', 'absent')),
  deleteAfter: mostly(fc.constantFrom('2027-01-31T00:00:00Z', '2027-01-31T00:00:00.5+01:00')),
  other: unexpected,
});
const file = some(
  {
    version: mostly(fc.constant(1)),
    account: mostly(fc.record({ companyId: mostly(fc.integer()) })),
    hosts: mostly(fc.array(entry, { maxLength: 1 })),
    policy: mostly(
      some({ limits: mostly(some({ delete: mostly(limit), move: mostly(limit), other: unexpected })) }),
    ),
    other: unexpected,
  },
  ['version', 'hosts'],
);

/** Rules that the schema states outside zod's reach, or that need more than one place. */
const beyondShape: ReadonlySet<string> = new Set([
  'an entry needs an id or a name',
  '"deleteAfter" needs "ensure: absent"',
  `an absent host can't have "group"`,
  `an absent host can't have "antivirus"`,
]);

test('the schema and the reader agree on the shape of any file', () => {
  const seen = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(file, (content) => {
      const text = JSON.stringify(content);
      const result = readDesired([{ file: 'fleet.yaml', text }]);
      const flaws = result.problems.filter(
        (each) => each.severity === 'error' && !beyondShape.has(each.message),
      );
      seen[flaws.length === 0 ? 'accepted' : 'refused'] += 1;
      expect(fleetFile.safeParse(JSON.parse(text)).success, text).toBe(flaws.length === 0);
    }),
    casesOf(2_000),
  );
  expect(seen.accepted).toBeGreaterThan(60);
  expect(seen.refused).toBeGreaterThan(60);
});

const root = new URL('../../', import.meta.url);
const bad = readdirSync(new URL('test/input/bad/', root)).filter((name) => name.endsWith('.yaml'));

/** Every desired state that the examples hold or the pages of the manual show. */
const shown: readonly (readonly [where: string, text: string])[] = [
  ...filesBelow('examples', /\.ya?ml$/),
  ...filesBelow('docs', /\.md$/)
    .concat([['README.md', textOf('README.md')]])
    .flatMap(([page, text]) =>
      [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(
        ([, fence = ''], index) => [`${page}, block ${index + 1}`, fence] as const,
      ),
    ),
].filter(([, text]) => /^version: 1$/m.test(text));

/** Problems of shape, which a schema can find; the rest depends on more than one place. */
const ofShape: ReadonlySet<string> = new Set(['unknown-key', 'wrong-type', 'missing-key', 'wrong-version']);
const reportedByReaderAlone: ReadonlySet<string> = new Set([
  // `hosts` may be in another file.
  'hosts-missing.yaml',
  // To a schema 1.0 is 1.
  'version-decimal.yaml',
]);

describe('the schema, as an editor applies it', () => {
  test.each(shown)('accepts %s', (_, text) => {
    expect(flaws(parse(text))).toEqual([]);
  });

  test('has seen some files', () => expect(shown.length).toBeGreaterThan(5));

  test('accepts what an import writes, whatever the fleet', () => {
    fc.assert(
      fc.property(hostileFleets, (observed) => {
        const text = printYaml(draftFleet(observed, { companyId: '9007199254740993', antivirus: true }));
        expect(flaws(parse(text))).toEqual([]);
      }),
    );
  });

  test('refuses the malformed files that have the wrong shape', () => {
    let refused = 0;
    for (const file of bad) {
      const text = textOf(`test/input/bad/${file}`);
      if (reportedByReaderAlone.has(file)) continue;
      const { problems } = readDesired([{ file, text }]);
      if (!problems.some(({ code, severity }) => severity === 'error' && ofShape.has(code))) continue;
      const document = parseDocument(text, { logLevel: 'silent' });
      if (document.errors.length > 0) continue;
      expect(flaws(document.toJS()), file).not.toEqual([]);
      refused += 1;
    }
    expect(refused).toBeGreaterThan(30);
  });
});

function textOf(path: string): string {
  return readFileSync(new URL(path, root), 'utf8');
}

function filesBelow(folder: string, names: RegExp): (readonly [path: string, text: string])[] {
  return readdirSync(new URL(folder, root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map((entry) => {
      const path = `${entry.parentPath}/${entry.name}`;
      return [path.slice(root.pathname.length), readFileSync(path, 'utf8')] as const;
    });
}

function visit(node: unknown, see: (schema: Record<string, unknown>) => void): void {
  if (node === null || typeof node !== 'object') return;
  if (!Array.isArray(node)) see(node as Record<string, unknown>);
  for (const child of Object.values(node)) visit(child, see);
}
