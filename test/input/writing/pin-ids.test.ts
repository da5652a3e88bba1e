import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Desired } from '../../../src/core/model/desired.ts';
import type { Entry } from '../../../src/core/model/entry.ts';
import { readDesired } from '../../../src/input/read-desired.ts';
import { decodeSource } from '../../../src/input/sources/decode-source.ts';
import { changeEntries } from '../../../src/input/writing/change-entries.ts';
import { applyEdits } from '../../../src/input/writing/text-edit.ts';
import { hostId } from '../../given/fleet.ts';

/** Pins every entry that has no id: the first gets 101, the second 102. */
function pin(text: string): { readonly text: string; readonly refused: number } {
  const desired = read(text);
  const pins = entriesOf(desired).flatMap((entry) => {
    const { line, col } = desired.placeOf(entry.index);
    return entry.id === undefined
      ? [{ line, col, change: { kind: 'id', id: hostId(101 + entry.index) } as const }]
      : [];
  });
  const source = decodeSource({ file: 'fleet.yaml', text });
  if (!source.ok) throw new Error('not a text');
  const pinned = changeEntries(source.value, pins, { mayAdd: true });
  if (!pinned.ok) throw new Error('not YAML');
  return {
    text: applyEdits(source.value.text, pinned.value.edits),
    refused: pinned.value.refused.length,
  };
}

const cases: readonly (readonly [what: string, before: string, after: string])[] = [
  ['a key on each line', '  - name: A # a\n    group: B\n', '  - id: 101\n    name: A # a\n    group: B\n'],
  ['no indentation', '- name: A\n- name: B\n', '- id: 101\n  name: A\n- id: 102\n  name: B\n'],
  ['a wide hyphen', '  -    name: A\n', '  -    id: 101\n       name: A\n'],
  ['a hyphen of its own', '  -\n    name: A\n', '  -\n    id: 101\n    name: A\n'],
  ['a comment between', '  - # c\n    name: A\n', '  - # c\n    id: 101\n    name: A\n'],
  ['braces', '  - { name: A }\n', '  - { id: 101, name: A }\n'],
  ['tight braces', '  - {name: A}\n', '  - {id: 101, name: A}\n'],
  ['braces over lines', '  - {\n      name: A,\n    }\n', '  - {\n      id: 101,\n      name: A,\n    }\n'],
  ['keys in quotation marks', '  - {"name": "A"}\n', '  - {"id": 101, "name": "A"}\n'],
  ['an explicit key', '  - ? name\n    : A\n', '  - id: 101\n    ? name\n    : A\n'],
  ['Windows', '  - name: A\r\n    group: B\r\n', '  - id: 101\r\n    name: A\r\n    group: B\r\n'],
  ['some that have an id', '  - id: 5\n  - name: A\n', '  - id: 5\n  - id: 102\n    name: A\n'],
  [
    'an entry to be deleted',
    '  - name: A\n    ensure: absent\n',
    '  - id: 101\n    name: A\n    ensure: absent\n',
  ],
];

describe('an id becomes the first key, and all else is unchanged', () => {
  for (const [what, before, after] of cases) {
    it(what, () => {
      const head = before.includes('\r') ? 'version: 1\r\nhosts:\r\n' : 'version: 1\nhosts:\n';
      expect(pin(`${head}${before}`)).toEqual({ text: `${head}${after}`, refused: 0 });
    });
  }

  it('in JSON', () => {
    expect(pin('{"version":1,"hosts":[{"name":"A"}]}').text).toBe(
      '{"version":1,"hosts":[{"id": 101, "name":"A"}]}',
    );
  });

  it('with an anchor, and not in an alias', () => {
    const text = 'version: 1\nhosts:\n  - &a\n    name: A\n';
    expect(pin(text).text).toBe('version: 1\nhosts:\n  - &a\n    id: 101\n    name: A\n');
  });
});

it('an entry that is not where it should be is refused', () => {
  const source = decodeSource({ file: 'fleet.yaml', text: 'version: 1\nhosts: []\n' });
  if (!source.ok) throw new Error('not a text');
  const pinned = changeEntries(source.value, [{ line: 9, col: 9, change: { kind: 'id', id: hostId(1) } }], {
    mayAdd: true,
  });
  expect(pinned).toMatchObject({ ok: true, value: { edits: [], refused: [{ line: 9 }] } });
});

const entry = fc.constantFrom(
  (name: string) => `- name: ${name}`,
  (name: string) => `- { name: "${name}", group: null } # c`,
  (name: string) => `-  previously: [old-${name}]\n     name: >-\n       ${name}\n`,
  (name: string) => `- # first\n\n    antivirus: installed\n    name: '${name}'`,
);

it('in any file, entries keep their meaning and get ids, and no line is lost', () => {
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), fc.boolean(), (entries, crlf) => {
      const list = entries.map((print, index) => `  ${print(`H${index}`)}\n`).join('');
      const plain = `version: 1\nhosts:\n${list}`;
      const text = crlf ? plain.replaceAll('\n', '\r\n') : plain;
      const after = pin(text);
      expect(after.refused).toBe(0);
      const expected = entriesOf(read(text)).map((each) => ({ ...each, id: String(101 + each.index) }));
      expect(entriesOf(read(after.text))).toEqual(expected);
      const squeezed = (each: string) => each.replaceAll(/\s*"?id"?: \d+,?\s*/g, '').replaceAll(/\s/g, '');
      expect(squeezed(after.text)).toBe(squeezed(text));
    }),
  );
});

function read(text: string): Desired {
  const desired = readDesired([{ file: 'fleet.yaml', text }]);
  if (!desired.ok) throw new Error(desired.problems.map(({ message }) => message).join('; '));
  return desired.value;
}

function entriesOf(desired: Desired): readonly Entry[] {
  return Array.from({ length: desired.count }, (_, index) => desired.at(index));
}
