import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FleetState,
  fleetState,
  type HostParts,
  type Json,
} from '../../../src/service/emulator/fleet-state.ts';
import { generateFleet } from '../../../src/service/emulator/generate.ts';
import { printSeed } from '../../../src/service/emulator/print-seed.ts';
import { readSeed } from '../../../src/service/emulator/seed.ts';

describe('a seed file', () => {
  it('contains only what is necessary', () => {
    const read = readSeed('hosts:\n  - { id: 9007199254740993, name: A }\n', 'seed.yaml');
    expect(read).toEqual({
      ok: true,
      problems: [],
      value: fleetState({ hosts: [{ id: '9007199254740993', name: 'A' }] }),
    });
  });

  it.each([
    ['keeps the ages of hosts if it has a time', 'now: 2026-02-01T10:00:00Z\n', '2028-03-01T00:00:05Z'],
    ['keeps the times of hosts if it has none', '', '2026-01-31T10:00:05Z'],
  ])('%s', (_, now, changedAt) => {
    const hosts = 'hosts:\n  - { id: 1, stateChangedAt: 2026-01-31T10:00:05Z }\n  - { id: 2 }\n';
    const read = readSeed(`${now}${hosts}`, 'seed.yaml', Date.parse('2028-03-02T00:00:00Z'));
    expect(read.ok && read.value.hosts.map(({ stateChangedAt }) => stateChangedAt)).toEqual([
      changedAt,
      fleetState({ hosts: [{ id: '2' }] }).hosts[0]?.stateChangedAt,
    ]);
  });

  it('can contain everything that a host can have', () => {
    const read = readSeed(
      `
companyId: 9007199254740993
psk: secret
groups:
  - { id: 17, name: Berlin Servers }
  - { id: 18, name: "17" }
customFields:
  - { id: c1, name: Site, values: [{ id: v1, name: Berlin }] }
hosts:
  - id: 9223372036854775807
    name: BER-WEB-01
    group: Berlin Servers
    online: false
    computerName: WEB01
    stateChangedAt: 2026-02-03T04:05:06Z
    inSession: true
    antivirus: installed
    customFields: { Site: Berlin }
    inventory:
      hardware: { serviceTag: ABC, memories: [{ size: 8 }] }
  - { id: -5, group: 17 }
  - { id: 0, group: "17", antivirus: { supported: false, isMac: true } }
  - { id: 1, group: null, name: null, antivirus: { installEndsAt: 2026-01-01T00:00:00Z } }
`,
      'seed.yaml',
    );
    expect(read.problems).toEqual([]);
    const state = (read as { value: FleetState }).value;
    expect(state).toMatchObject({ companyId: '9007199254740993', psk: 'secret' });
    expect(state.hosts).toMatchObject([
      {
        id: '9223372036854775807',
        name: 'BER-WEB-01',
        groupId: '17',
        online: false,
        computerName: 'WEB01',
        stateChangedAt: '2026-02-03T04:05:06Z',
        inSession: true,
        antivirus: { installed: true, realTimeProtection: true },
        customFields: { c1: 'v1' },
        inventory: { hardware: { serviceTag: 'ABC', memories: [{ size: 8 }] } },
      },
      { id: '-5', groupId: '17' },
      { id: '0', groupId: '18', antivirus: { supported: false, isMac: true } },
      { id: '1', groupId: '-1', name: null, antivirus: { installEndsAt: Date.UTC(2026, 0, 1) } },
    ]);
  });

  it('may be JSON', () => expect(readSeed('{"hosts":[{"id":9007199254740993}]}', 'seed.json').ok).toBe(true));

  it.each<[string, string, readonly string[]]>([
    ['not YAML', 'hosts: [', ['1:9']],
    ['empty', '', ['1:1']],
    ['a list', '- 1', ['1:1']],
    ['without hosts', 'companyId: 1', ['1:1']],
    ['with hosts that are no list', 'hosts: 3', ['1:8']],
    ['with an unknown key', 'hosts: []\nhots: []', ['2:1']],
    ['with an unknown key of a host', 'hosts:\n  - id: 1\n    nmae: x', ['3:5']],
    ['with a key twice', 'hosts: []\nhosts: []', ['2:1']],
    ['with an id that is no integer', 'hosts:\n  - id: 1.5', ['2:9']],
    ['with an id in quotation marks', 'hosts:\n  - id: "1"', ['2:9']],
    ['with an id beyond 64 bits', 'hosts:\n  - id: 9223372036854775808', ['2:9']],
    ['with a host without an id', 'hosts:\n  - name: x', ['2:5']],
    ['with a host twice', 'hosts:\n  - id: 1\n  - id: 1', ['3:9']],
    ['with a group twice', 'groups: [{id: 1, name: a}, {id: 1, name: b}]\nhosts: []', ['1:33']],
    ['with a group called -1', 'groups: [{id: -1, name: a}]\nhosts: []', ['1:15']],
    ['with an unknown group', 'hosts:\n  - { id: 1, group: x }', ['2:21']],
    ['with an unknown group id', 'hosts:\n  - { id: 1, group: 5 }', ['2:21']],
    [
      'with a group name that two have',
      'groups: [{id: 1, name: a}, {id: 2, name: a}]\nhosts: [{id: 1, group: a}]',
      ['2:24'],
    ],
    ['with an unknown custom field', 'hosts:\n  - { id: 1, customFields: { Site: x } }', ['2:36']],
    ['with a time that is none', 'hosts:\n  - { id: 1, stateChangedAt: yesterday }', ['2:30']],
    [
      'with an inventory that has a number beyond 2^53',
      'hosts:\n  - { id: 1, inventory: { hardware: { a: 9007199254740993 } } }',
      ['2:42'],
    ],
    ['with an unknown anti-virus fact', 'hosts:\n  - id: 1\n    antivirus: { instaled: true }', ['3:18']],
    ['with an anti-virus that is no mapping', 'hosts:\n  - { id: 1, antivirus: no }', ['2:25']],
    [
      'with an unknown value of a custom field',
      'customFields: [{id: c, name: Site, values: [{id: v, name: Oslo}]}]\nhosts: [{id: 1, customFields: {Site: Osl}}]',
      ['2:38'],
    ],
    [
      'that is a log, with one problem a line and not with all,',
      '{"a":1}{"b":[{"c":"d"}]}\n'.repeat(9),
      ['1:8', '2:1', '3:1', '4:1', '5:1'],
    ],
    ['with several faults', 'hosts:\n  - { id: x }\n  - { id: 1, online: 3 }', ['2:11', '3:22']],
  ])('%s is refused, with all its problems and their places', (_, text, places) => {
    const read = readSeed(text, 'seed.yaml');
    expect(read.ok).toBe(false);
    expect(read.problems.map(({ place }) => `${place?.line}:${place?.col}`)).toEqual(places);
    for (const each of read.problems) {
      expect(each).toMatchObject({ code: 'seed-invalid', severity: 'error', place: { file: 'seed.yaml' } });
      expect(each.message).not.toMatch(/\n|bigint|Invalid input/);
    }
  });

  it('shows the line of a problem, and a similar key', () => {
    const text = 'groups: [{ id: 1, name: Berlin }]\nhosts:\n  - { id: 1, group: Berln }';
    expect(readSeed(text, 'f').problems).toEqual([
      {
        code: 'seed-invalid',
        severity: 'error',
        message: 'group "Berln" does not exist',
        hint: 'did you mean "Berlin"?',
        place: { file: 'f', line: 3, col: 21, width: 5, text: '  - { id: 1, group: Berln }' },
      },
    ]);
  });

  it('full of aliases is refused before it expands', () => {
    const lines = [
      'a0: &a0 [x]',
      ...Array.from({ length: 20 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`),
    ];
    expect(readSeed([...lines, 'hosts: *a20'].join('\n'), 'bomb.yaml').ok).toBe(false);
  });

  it('with any text never throws', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
        expect(typeof readSeed(text, 'f').ok).toBe('boolean');
      }),
    ));
});

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    ...'null|true|~|| |17|0x1|1e3|- a|# b|a: b|*x|&x|!!int|\u0085\u2028|---|\r\n|.nan|2026-01-01'.split('|'),
  ),
);
const moment = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());
const json: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      tie('json'),
      { maxKeys: 3 },
    ),
  ),
})).json;
const record = fc.dictionary(
  fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
  json,
  { maxKeys: 4, noNullPrototype: true },
);

const fleet: fc.Arbitrary<FleetState> = fc
  .record({
    companyId: int64,
    psk: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
    groups: fc.uniqueArray(
      fc.record({
        id: int64.filter((id) => id !== '-1'),
        name: fc.option(fc.oneof(text, fc.constantFrom('A', 'B'))),
      }),
      { selector: (group) => group.id, maxLength: 4 },
    ),
    categories: fc.uniqueArray(
      fc.record({
        id: fc
          .oneof(fc.string({ minLength: 1 }), fc.constantFrom('A', 'B'))
          .filter((id) => id !== '__proto__'),
        name: fc
          .oneof(fc.string({ minLength: 1 }), fc.constantFrom('A', 'B'))
          .filter((id) => id !== '__proto__'),
        values: fc.uniqueArray(fc.record({ id: fc.string({ minLength: 1 }), name: text }), {
          selector: (value) => value.id,
          minLength: 1,
          maxLength: 3,
        }),
      }),
      { selector: (category) => category.id, maxLength: 3 },
    ),
  })
  .chain((parts) =>
    fc.uniqueArray(hosts(parts), { selector: (host) => host.id, maxLength: 5 }).map((all) => {
      const { psk, ...rest } = parts;
      return fleetState({ ...rest, ...(psk === undefined ? {} : { psk }), hosts: all });
    }),
  );

function hosts(parts: Pick<FleetState, 'groups' | 'categories'>): fc.Arbitrary<HostParts> {
  const customFields = fc
    .subarray([...parts.categories])
    .chain((some) =>
      fc.tuple(
        ...some.map(({ id, values }) => fc.constantFrom(...values).map((value) => [id, value.id] as const)),
      ),
    )
    .map((pairs) => Object.fromEntries(pairs));
  return fc.record(
    {
      id: int64,
      name: fc.option(text),
      groupId: fc.constantFrom('-1', ...parts.groups.map((group) => group.id)),
      online: fc.boolean(),
      computerName: fc.option(text),
      stateChangedAt: moment,
      inSession: fc.boolean(),
      customFields,
      antivirus: fc.record(
        {
          installed: fc.boolean(),
          supported: fc.boolean(),
          installEndsAt: fc.option(fc.integer({ min: 0, max: 4e12 })),
          status: fc.option(fc.integer({ min: 0, max: 9 })),
          product: fc.option(text),
          threats: fc.nat(),
          realTimeProtection: fc.boolean(),
          buildNumber: fc.option(fc.nat()),
        },
        { requiredKeys: [] },
      ),
      inventory: fc.record({ hardware: record, system: record }, { requiredKeys: [] }),
    },
    { requiredKeys: ['id'] },
  );
}

describe('a printed seed', () => {
  it('reads back to the same fleet', () =>
    fc.assert(
      fc.property(fleet, (state) => {
        expect(readSeed(printSeed(state), 'seed.yaml')).toEqual({ ok: true, problems: [], value: state });
      }),
    ));

  it('of a generated fleet reads back to the same fleet', () => {
    const state = generateFleet({ hosts: 60, seed: 9 });
    expect(readSeed(printSeed(state), 'seed.yaml')).toEqual({ ok: true, problems: [], value: state });
  });

  it('refers to groups by name, and leaves defaults out', () => {
    const state = fleetState({
      groups: [{ id: '17', name: 'Servers' }],
      hosts: [{ id: '9007199254740993', name: 'A', groupId: '17' }],
    });
    expect(printSeed(state)).toBe(
      [
        'companyId: 1234567890',
        'groups:',
        '  - id: 17',
        '    name: Servers',
        'customFields: []',
        'hosts:',
        '  - id: 9007199254740993',
        '    name: A',
        '    group: Servers',
        '',
      ].join('\n'),
    );
  });
});
