import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Observed } from '../../../src/core/model/observed.ts';
import { readDesired } from '../../../src/input/read-desired.ts';
import { decodeSource } from '../../../src/input/sources/decode-source.ts';
import { addHosts } from '../../../src/input/writing/add-hosts.ts';
import { draftFleet } from '../../../src/input/writing/draft-fleet.ts';
import { applyEdits } from '../../../src/input/writing/text-edit.ts';
import { givenFleet, hostId } from '../../given/fleet.ts';
import { hostileFleets } from '../../given/hostile-fleet.ts';

const twoNew = givenFleet(
  [
    { id: 8, name: 'NEW-B' },
    { id: 7, name: 'NEW-A', group: 17 },
  ],
  { 17: 'Berlin' },
);

function add(text: string, observed: Observed = twoNew): string {
  const source = decodeSource({ file: 'fleet.yaml', text });
  if (!source.ok) throw new Error('not a text');
  const edits = addHosts(source.value, draftFleet(observed, { companyId: null, antivirus: false }));
  expect(edits.problems).toEqual([]);
  return edits.ok ? applyEdits(source.value.text, edits.value) : '';
}

/** The new entries at the end of the list of `hosts`. */
const cases: readonly (readonly [what: string, before: string, after: string])[] = [
  [
    'a list, after comments below its last entry',
    'version: 1\r\nhosts:\r\n  - { id: 1, name: OLD }\r\n  # - { id: 2 }\r\n# Rules.\r\nrules: []\r\n',
    'version: 1\r\nhosts:\r\n  - { id: 1, name: OLD }\r\n  # - { id: 2 }\r\n  - { id: 7, name: NEW-A, group: Berlin }\r\n  - { id: 8, name: NEW-B, group: null }\r\n# Rules.\r\nrules: []\r\n',
  ],
  [
    'a list, before what follows it',
    'version: 1\nhosts:\n  - id: 1 # one\n    name: A\n\n# rules below\npolicy: {}\n',
    'version: 1\nhosts:\n  - id: 1 # one\n    name: A\n  - id: 7\n    name: NEW-A\n    group: Berlin\n  - id: 8\n    name: NEW-B\n    group: null\n\n# rules below\npolicy: {}\n',
  ],
  [
    'a list without indentation',
    'version: 1\nhosts:\n- id: 1\n',
    'version: 1\nhosts:\n- id: 1\n- id: 7\n  name: NEW-A\n  group: Berlin\n- id: 8\n  name: NEW-B\n  group: null\n',
  ],
  [
    'a list of entries in braces, in braces too',
    'version: 1\nhosts:\n    - { id: 1 } # one\n',
    'version: 1\nhosts:\n    - { id: 1 } # one\n    - { id: 7, name: NEW-A, group: Berlin }\n    - { id: 8, name: NEW-B, group: null }\n',
  ],
  [
    'a list at the end of a file without a last line break',
    'version: 1\nhosts:\n  - id: 1',
    'version: 1\nhosts:\n  - id: 1\n  - id: 7\n    name: NEW-A\n    group: Berlin\n  - id: 8\n    name: NEW-B\n    group: null',
  ],
  [
    'a list with the line breaks of Windows',
    'version: 1\r\nhosts:\r\n  - id: 1\r\n',
    'version: 1\r\nhosts:\r\n  - id: 1\r\n  - id: 7\r\n    name: NEW-A\r\n    group: Berlin\r\n  - id: 8\r\n    name: NEW-B\r\n    group: null\r\n',
  ],
  [
    'a list whose last name is a block',
    'version: 1\nhosts:\n  - name: |-\n      A\npolicy: {}\n',
    'version: 1\nhosts:\n  - name: |-\n      A\n  - id: 7\n    name: NEW-A\n    group: Berlin\n  - id: 8\n    name: NEW-B\n    group: null\npolicy: {}\n',
  ],
  [
    'empty brackets, which become a list',
    'hosts: []  # none yet\nversion: 1\n',
    'hosts:  # none yet\n  - id: 7\n    name: NEW-A\n    group: Berlin\n  - id: 8\n    name: NEW-B\n    group: null\nversion: 1\n',
  ],
  [
    'brackets on one line',
    'version: 1\nhosts: [{ id: 1 }]\n',
    'version: 1\nhosts: [{ id: 1 },\n        { id: 7, name: NEW-A, group: Berlin },\n        { id: 8, name: NEW-B, group: null }]\n',
  ],
  [
    'brackets over lines, with a comma and a comment',
    'version: 1\nhosts: [\n    { id: 1 }, # a, b\n  ]\n',
    'version: 1\nhosts: [\n    { id: 1 }, # a, b\n    { id: 7, name: NEW-A, group: Berlin },\n    { id: 8, name: NEW-B, group: null },\n  ]\n',
  ],
  [
    'brackets over lines, with a comment and no comma',
    'version: 1\nhosts: [\n    { id: 1 } # a, b\n  ]\n',
    'version: 1\nhosts: [\n    { id: 1 }, # a, b\n    { id: 7, name: NEW-A, group: Berlin },\n    { id: 8, name: NEW-B, group: null }\n  ]\n',
  ],
  [
    'JSON, which stays JSON',
    '{"version": 1, "hosts": [{"id": 1}]}\n',
    '{"version": 1, "hosts": [{"id": 1},\n                         { "id": 7, "name": "NEW-A", "group": "Berlin" },\n                         { "id": 8, "name": "NEW-B", "group": null }]}\n',
  ],
  [
    'JSON without hosts',
    '{"version": 1, "rules": []}',
    '{"version": 1, "rules": [], "hosts": [{ "id": 7, "name": "NEW-A", "group": "Berlin" }, { "id": 8, "name": "NEW-B", "group": null }]}',
  ],
  [
    'a file without hosts',
    'version: 1\nrules: [] # none\n...\n',
    'version: 1\nrules: [] # none\n\nhosts:\n  - id: 7\n    name: NEW-A\n    group: Berlin\n  - id: 8\n    name: NEW-B\n    group: null\n...\n',
  ],
];

describe('new hosts are added to', () => {
  for (const [what, before, after] of cases) {
    it(what, () => {
      expect(add(before)).toBe(after);
      expect(idsOf(after)).toEqual([...(/hosts/.test(before) ? idsOf(before) : []), '7', '8']);
    });
  }
});

it('nothing is added if nothing is new', () => {
  expect(add('version: 1\nhosts: [] # c\n', givenFleet([]))).toBe('version: 1\nhosts: [] # c\n');
});

it('a list that an alias stands for is not edited', () => {
  const text = 'version: 1\nhosts: *other\n';
  const source = decodeSource({ file: 'fleet.yaml', text });
  if (!source.ok) throw new Error('not a text');
  expect(addHosts(source.value, draftFleet(twoNew, { companyId: null, antivirus: false })).ok).toBe(false);
});

/** Entries with ids that no arbitrary fleet has, laid out in several ways. */
const shape = fc.constantFrom(
  (id: number) => `- id: ${id}`,
  (id: number) => `- { id: ${id}, name: "h # ${id}" } # one`,
  (id: number) => `- name: h${id}   # first\n\n    # in between\n    id: '${id}'`,
  (id: number) => `-   id: ${id}\n      previously:\n      - |\n        old ${id}\n\n`,
  (id: number) => `- &a${id}\n    id: ${id}\n  # behind`,
);
const files = fc
  .record({
    entries: fc.array(shape, { minLength: 1, maxLength: 4 }),
    head: fc.constantFrom('', '# c\n', 'policy: {}\n', '---\n'),
    tail: fc.constantFrom('', '\n', '\npolicy: {}\n', '\n\n# the end', '\n...\n'),
    crlf: fc.boolean(),
  })
  .filter(({ head, tail }) => !(head.includes('policy') && tail.includes('policy')))
  .map(({ entries, head, tail, crlf }) => {
    const list = entries.map((print, index) => `  ${print(index + 1)}`).join('\n');
    const text = `${head}version: 1\nhosts:\n${list}${tail}`;
    return crlf ? text.replaceAll('\n', '\r\n') : text;
  });

it('in any file every line is kept, in order, and the new hosts come last', () => {
  fc.assert(
    fc.property(files, hostileFleets, (text, fleet) => {
      fc.pre(![1, 2, 3, 4].some((id) => fleet.byId(hostId(id)) !== undefined));
      const before = idsOf(text);
      const after = add(text, fleet);
      const lines = after.split(/\r?\n/);
      let from = 0;
      for (const line of text.split(/\r?\n/)) {
        const found = lines.indexOf(line, from);
        expect(found, JSON.stringify(line)).toBeGreaterThanOrEqual(from);
        from = found + 1;
      }
      expect(new Set(idsOf(after).slice(before.length))).toEqual(
        new Set(Array.from({ length: fleet.count }, (_, index) => fleet.at(index).id)),
      );
    }),
    { numRuns: 100 },
  );
});

function idsOf(text: string): readonly string[] {
  const desired = readDesired([{ file: 'fleet.yaml', text }]);
  expect(desired.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  return desired.ok
    ? Array.from({ length: desired.value.count }, (_, index) => desired.value.at(index).id ?? '')
    : [];
}
