import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Desired } from '../../src/core/model/desired.ts';
import { hasLineBreak } from '../../src/core/model/host-name.ts';
import { defaultLimits } from '../../src/core/model/policy.ts';
import { ok } from '../../src/core/problem/problem.ts';
import { registerRequests } from '../../src/input/declared-tables.ts';
import { parseSource, readDesired } from '../../src/input/read-desired.ts';
import type { EncodedValue } from '../../src/input/sources/script-output.ts';

function read(...texts: readonly (string | Uint8Array)[]) {
  return readDesired(texts.map((text, index) => ({ file: `f${index + 1}.yaml`, text })));
}

function desired(...texts: readonly (string | Uint8Array)[]): Desired {
  const result = read(...texts);
  if (!result.ok) throw new Error(result.problems.map((each) => each.message).join('\n'));
  return result.value;
}

function codes(...texts: readonly string[]): readonly string[] {
  return read(...texts).problems.map((each) => `${each.severity} ${each.code}`);
}

const hosts = (...lines: readonly string[]) =>
  `version: 1\nhosts:\n${lines.map((line) => `  - ${line}\n`).join('')}`;

const full = `# yaml-language-server: $schema=../schema/fleet.schema.json
version: 1
account: { companyId: 1234567890 }

hosts:
  - id: 9007199254740993
    name: BER-WEB-01
    group: Berlin Servers
    antivirus: installed
  - name: BER-WEB-02
    previously: [DESKTOP-8F3K2]
    group: { id: 17 }
  - id: 1234
    ensure: absent
  - name: old-kiosk
    ensure: absent
    deleteAfter: 2027-01-31T00:00:00Z

policy:
  limits: { delete: 12.5%, rename: 40, missing: 0% }
`;

describe('a sound file', () => {
  test('is read in full', () => {
    const state = desired(full);
    expect(Array.from({ length: state.count }, (_, index) => state.at(index))).toEqual([
      {
        index: 0,
        id: '9007199254740993',
        name: 'BER-WEB-01',
        previously: [],
        group: { kind: 'named', name: 'Berlin Servers' },
        antivirus: true,
        ensure: 'present',
      },
      {
        index: 1,
        name: 'BER-WEB-02',
        previously: ['DESKTOP-8F3K2'],
        group: { kind: 'id', id: '17' },
        antivirus: false,
        ensure: 'present',
      },
      { index: 2, id: '1234', previously: [], antivirus: false, ensure: 'absent' },
      {
        index: 3,
        name: 'old-kiosk',
        previously: [],
        antivirus: false,
        ensure: 'absent',
        deleteAfter: '2027-01-31T00:00:00Z',
      },
    ]);
    expect(state.files).toEqual(['f1.yaml']);
    expect(state.companyId).toMatchObject({ value: '1234567890', place: { line: 3, col: 23, width: 10 } });
    expect(state.limits).toEqual({
      delete: { kind: 'share', percent: 12.5 },
      rename: { kind: 'count', count: 40 },
      move: defaultLimits.move,
      antivirus: defaultLimits.antivirus,
      missing: { kind: 'share', percent: 0 },
    });
  });

  test('knows the places of its parts', () => {
    const state = desired(full);
    expect(state.placeOf(0)).toEqual({
      file: 'f1.yaml',
      line: 6,
      col: 5,
      width: 20,
      text: '  - id: 9007199254740993',
    });
    expect(state.placeOf(0, 'group')).toEqual({
      file: 'f1.yaml',
      line: 8,
      col: 12,
      width: 14,
      text: '    group: Berlin Servers',
    });
    expect(state.placeOf(1, 'id')).toEqual(state.placeOf(1));
    expect(state.placeOf(3, 'deleteAfter')).toMatchObject({ line: 17, col: 18, width: 20 });
  });

  test.each([
    ['no hosts', 'version: 1\nhosts: []\n'],
    ['JSON', '{"version": 1, "hosts": [{"id": 9223372036854775807, "group": null}]}'],
    ['a byte order mark', '\ufeffversion: 1\nhosts: []\n'],
    ['Windows line ends', 'version: 1\r\nhosts:\r\n  - id: 1\r\n    name: A\r\n'],
    ['no line end at the end', 'version: 1\nhosts: []'],
    ['one marked document', '---\nversion: 1\nhosts: []\n...\n'],
    ['its YAML version', '%YAML 1.2\n---\nversion: 1\nhosts: []\n'],
    [
      'an alias for one value',
      'version: 1\nhosts:\n  - { id: 1, group: &g Berlin }\n  - { id: 2, group: *g }\n',
    ],
    ['names that fold alike, all pinned', hosts('{ id: 1, name: a }', '{ id: 2, name: A }')],
    ['one previous name as text', hosts('{ name: A, previously: B }')],
    [
      'a pinned absent host beside a claim on its name',
      hosts('{ id: 1, name: A, ensure: absent }', 'name: A'),
    ],
    [
      'pinned hosts that trade names',
      hosts('{ id: 1, name: A, previously: B }', '{ id: 2, name: B, previously: A }'),
    ],
    ['a chain of names', hosts('{ name: A, previously: B }', '{ name: B, previously: C }')],
    ['two absent names that fold alike', hosts('{ name: A, ensure: absent }', '{ name: a, ensure: absent }')],
    [
      'names of other alphabets',
      hosts('name: "Büro-München"', 'name: "東京-01"', 'name: "ΑΘΗΝΑ"', 'name: "Москва"'),
    ],
    ['words that YAML 1.1 took for true and false', hosts('name: yes', 'name: no', 'name: on')],
  ])('may have %s', (_, text) => {
    expect(read(text)).toMatchObject({ ok: true, problems: [] });
  });

  test('may be bytes', () => {
    expect(
      desired(new TextEncoder().encode('\ufeffversion: 1\nhosts: [{ name: "Zürich" }]\n')).at(0).name,
    ).toBe('Zürich');
  });

  test.each(['null', '~', 'Null'])('removes the host from its group with %s', (word) => {
    expect(desired(hosts(`{ id: 1, group: ${word} }`)).at(0).group).toEqual({ kind: 'ungrouped' });
  });

  test('reads quoted words as names', () => {
    const state = desired(hosts('{ id: 1, name: "123", group: "null" }', `{ name: 'true' }`));
    expect(state.at(0)).toMatchObject({ name: '123', group: { kind: 'named', name: 'null' } });
    expect(state.at(1)).toMatchObject({ name: 'true' });
  });

  test('keeps any 64-bit id exactly, quoted or not', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.boolean(), (id, isQuoted) => {
        const state = desired(hosts(isQuoted ? `id: "${id}"` : `id: ${id}`));
        expect(state.at(0).id).toBe(String(id));
      }),
    );
  });

  test('refuses any integer beyond 64 bits', () => {
    const beyond = fc.oneof(
      fc.bigInt({ min: 2n ** 63n, max: 2n ** 70n }),
      fc.bigInt({ min: -(2n ** 70n), max: -(2n ** 63n) - 1n }),
    );
    fc.assert(
      fc.property(beyond, (id) => {
        expect(codes(hosts(`id: ${id}`))).toEqual(['error invalid-id']);
      }),
    );
  });

  test('reads back any name that JSON can write', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text.trim() !== '' && !hasLineBreak(text));
    fc.assert(
      fc.property(name, (text) => {
        expect(desired(hosts(`name: ${JSON.stringify(text)}`)).at(0).name).toBe(text);
      }),
    );
  });
});

test('a script becomes a tree once, although its tables are found before its hosts', () => {
  let reads = 0;
  const value: EncodedValue = {
    get members() {
      reads += 1;
      return [['hosts', { items: [{ members: [['name', 'A']] }] }]] as const;
    },
  };
  const source = { file: 'fleet.ts', text: '', script: ok({ text: '', value, files: new Map() }) };
  expect(registerRequests([source], parseSource)).toEqual([]);
  expect(readDesired([source])).toMatchObject({ ok: true, value: { count: 1 } });
  expect(reads).toBe(1);
});

describe('several files', () => {
  test('are one state, with entries numbered continuously and places in their own files', () => {
    const state = desired(
      hosts('id: 1', 'id: 2'),
      'version: 1\npolicy: { limits: { move: 5 } }\n',
      hosts('id: 3'),
    );
    expect(state.count).toBe(3);
    expect([0, 1, 2].map((index) => state.at(index).index)).toEqual([0, 1, 2]);
    expect(state.placeOf(2, 'id')).toMatchObject({ file: 'f3.yaml', line: 3 });
    expect(state.limits.move).toEqual({ kind: 'count', count: 5 });
    expect(state.files).toEqual(['f1.yaml', 'f2.yaml', 'f3.yaml']);
  });

  test('that claim one host are reported once, with both places', () => {
    const result = read(hosts('id: 1'), hosts('id: 2', 'id: 1'));
    expect(result.problems).toHaveLength(1);
    expect(result.problems[0]).toMatchObject({
      code: 'duplicate-host',
      place: { file: 'f2.yaml', line: 4 },
      related: [{ file: 'f1.yaml', line: 3 }],
    });
  });

  test('can repeat the account, but not name another', () => {
    const account = (id: number) => `version: 1\naccount: { companyId: ${id} }\nhosts: []\n`;
    expect(desired(account(7), account(7)).companyId?.value).toBe('7');
    expect(codes(account(7), account(8))).toEqual(['error account-mismatch']);
  });

  test('can set a limit only once', () => {
    const limit = 'version: 1\nhosts: []\npolicy: { limits: { move: 5 } }\n';
    expect(codes(limit, limit)).toEqual(['error duplicate-key']);
  });

  test('need hosts in at least one of them', () => {
    expect(codes('version: 1\n', 'version: 1\n')).toEqual(['error missing-key']);
  });

  test('are all reported, in order', () => {
    const problems = read('version: 1\nhost: 1\n', '[', hosts('id: x', 'name: ""')).problems;
    expect(problems.map((each) => `${each.place?.file} ${each.code}`)).toEqual([
      'f1.yaml unknown-key',
      'f2.yaml yaml-syntax',
      'f3.yaml invalid-id',
      'f3.yaml invalid-value',
    ]);
  });

  test('must not be an empty list', () => {
    expect(readDesired([])).toMatchObject({ ok: false, problems: [{ code: 'usage' }] });
  });
});

describe('adjacent entries', () => {
  test.each([
    [
      'one unpinned name that folds like another',
      hosts('{ id: 1, name: a }', 'name: A'),
      ['error duplicate-name'],
    ],
    ['a pinned name twice', hosts('{ id: 1, name: A }', '{ id: 2, name: A }'), ['error duplicate-name']],
    [
      'equal names beside one that folds like them',
      hosts('{ id: 1, name: A }', '{ id: 2, name: A }', '{ id: 3, name: a }'),
      ['error duplicate-name'],
    ],
    [
      'an absent host by a name that another had before',
      hosts('{ name: A, ensure: absent }', '{ id: 1, name: B, previously: A }'),
      ['error absent-but-claimed'],
    ],
    [
      'a name in a letter of another alphabet',
      hosts('name: PC-A', 'name: PC-А'),
      ['warning suspicious-name'],
    ],
    [
      'names that trade places',
      hosts('{ name: A, previously: B }', '{ name: B, previously: A }'),
      ['error traded-names'],
    ],
    [
      'an entry that names itself as previous',
      hosts('{ name: A, previously: A }'),
      ['warning invalid-value'],
    ],
  ])('%s', (_, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test('a broken entry does not affect others', () => {
    expect(codes(hosts('{ id: x, name: A }', 'name: A'))).toEqual(['error invalid-id']);
  });
});
