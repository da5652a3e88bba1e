import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Desired } from '../../../src/core/model/desired.ts';
import { readFleetText } from '../../../src/terraform/fleet/fleet-inputs.ts';
import type { RecordValue } from '../../../src/terraform/protocol/value/value.ts';
import { blockPath, pathText, pointerTo } from '../../../src/terraform/provider/fleet/block-path.ts';
import { textOfBlocks } from '../../../src/terraform/provider/fleet/desired-blocks.ts';
import { inBlockWords } from '../../../src/terraform/provider/fleet/desired-keys.ts';
import { fleetSchema } from '../../../src/terraform/provider/fleet/fleet-schema.ts';
import { casesOf } from '../../given/cases.ts';
import { emptyOf } from './given/rampart-core.ts';

const hostAttributes = fleetSchema.blocks.host;
const ruleAttributes = fleetSchema.blocks.rule;
const groupAttributes = fleetSchema.blocks.group;
const described = (schema: object) => emptyOf({ description: '', ...schema });
const host = (values: RecordValue): RecordValue => ({ ...described(hostAttributes), ...values });
const fleet = (values: RecordValue): RecordValue => ({ ...emptyOf(fleetSchema), ...values });

/** A desired state except for its places. */
function said(desired: Desired): unknown {
  const { count, at, rules, limits, policy, companyId } = desired;
  const entries = Array.from({ length: count }, (_, index) => at(index));
  return withoutPlaces({ entries, rules, limits, policy, companyId: companyId?.value });
}

function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? 'a function' : value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => !/place|span|source/i.test(name) && each !== undefined)
      .map(([name, each]) => [name, withoutPlaces(each)]),
  );
}

/** Its content, or its problems in any order, because their order is that of the text. */
function read(text: Parameters<typeof readFleetText>[0]) {
  const desired = readFleetText(text);
  if (desired.ok) return said(desired.value);
  return desired.problems.map(({ code, message }) => `${code}: ${message}`).toSorted();
}

describe('a desired state in nested blocks', () => {
  test('means the same as its file', () => {
    const blocks = fleet({
      company_id: '1234567890',
      unmanaged: 'report',
      host: [
        host({ id: '9007199254740993', name: 'A', group: 'Berlin', protect: ['delete'] }),
        host({
          name: 'B',
          previously: ['C', 'D'],
          group_id: '17',
          antivirus: 'installed',
          ignore: ['group'],
        }),
        host({ id: '3', ensure: 'absent', delete_after: '2027-01-31T00:00:00Z' }),
        host({ id: '4', current: 'E', group_id: '-1' }),
      ],
      rule: [
        {
          ...described(ruleAttributes),
          name: 'r',
          when: 'host.online',
          rename: `X-\${host.id}`,
          group_id: '17',
        },
      ],
      group: [
        {
          ...described(groupAttributes),
          name: 'Kiosks',
          exclusive: true,
          others_to_id: '-1',
          limits: { delete: '5%', rename: '10', move: null, antivirus: null },
        },
        { ...described(groupAttributes), id: '-1', unmanaged: 'forbid' },
      ],
      policy: {
        limits: { delete: '5%', rename: '200', move: null, antivirus: null, missing: null },
        protect: [{ name: null, when: 'host.group == "DC"', from: ['delete', 'rename'], message: null }],
        deny: [{ name: 'd', when: 'change.kind == "delete" && host.online', message: 'no' }],
        warn: [],
        window: [
          { name: 'w', only: ['Mon-Fri 20:00-06:00 Europe/Berlin'], kinds: ['delete'], message: null },
        ],
        freeze: [{ name: null, from: '2026-12-20T00:00:00Z', until: null, message: 'holidays' }],
      },
    });
    const text = `version: 1
account: { companyId: 1234567890 }
unmanaged: report
hosts:
  - { id: 9007199254740993, name: A, group: Berlin, protect: [delete] }
  - { name: B, previously: [C, D], group: { id: 17 }, antivirus: installed, ignore: [group] }
  - { id: 3, ensure: absent, deleteAfter: 2027-01-31T00:00:00Z }
  - { id: 4, current: E, group: null }
rules:
  - { name: r, when: host.online, rename: "X-\${host.id}", group: { id: 17 } }
groups:
  - { group: Kiosks, exclusive: true, othersTo: null, limits: { delete: 5%, rename: 10 } }
  - { group: null, unmanaged: forbid }
policy:
  limits: { delete: 5%, rename: 200 }
  protect:
    - { when: 'host.group == "DC"', from: [delete, rename] }
  deny:
    - { name: d, when: 'change.kind == "delete" && host.online', message: no }
  windows:
    - { name: w, only: [Mon-Fri 20:00-06:00 Europe/Berlin], kinds: [delete] }
  freeze:
    - { from: 2026-12-20T00:00:00Z, message: holidays }
`;
    expect(read(textOfBlocks(blocks))).toEqual(
      read({ text: text.replace('message: no }', 'message: "no" }') }),
    );
    expect(read(textOfBlocks(blocks))).toMatchObject({ companyId: '1234567890', entries: { length: 4 } });
  });

  test('with any hosts means the same as its file, or has the same problems', () => {
    const word = fc.constantFrom(
      'A',
      'b',
      ' C',
      '',
      'd\u0000',
      '12',
      'null',
      'true',
      '~',
      'é',
      '- x',
      '${x}',
    );
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
    const anyHost = fc.record({
      id: maybe(fc.constantFrom('1', '2', '9007199254740993', 'x', '01')),
      name: maybe(word),
      current: maybe(word),
      previously: maybe(fc.array(word, { minLength: 1, maxLength: 2 })),
      group: maybe(word),
      antivirus: maybe(fc.constantFrom('installed', 'no')),
      ensure: maybe(fc.constantFrom('present', 'absent')),
    });
    fc.assert(
      fc.property(fc.array(anyHost, { minLength: 1, maxLength: 4 }), (hosts) => {
        const set = hosts.map((each) =>
          Object.fromEntries(Object.entries(each).filter(([, value]) => value !== null)),
        );
        const inFile = read({ text: JSON.stringify({ version: 1, hosts: set }) });
        expect(read(textOfBlocks(fleet({ host: hosts.map(host) })))).toEqual(inFile);
      }),
      casesOf(300),
    );
  });
});

describe('a place in a desired state is an argument or a block', () => {
  const config = fleet({
    company_id: '1',
    host: [host({ id: '1', group_id: '17' }), host({ name: 'B', group: 'G', previously: ['C'] })],
    group: [{ ...described(groupAttributes), id: '17', others_to: 'X' }],
    policy: { limits: { delete: '1' }, deny: [{ name: 'd', when: 'x', message: 'm' }], window: [] },
  });
  test.each([
    ['account.companyId', 'company_id', 'company_id'],
    ['hosts[0]', 'host[0]', 'host[0].id'],
    ['hosts[0].group.id', 'host[0].group_id', 'host[0].group_id'],
    ['hosts[1].group, character 1', 'host[1].group', 'host[1].group'],
    ['hosts[1].previously[0]', 'host[1].previously', 'host[1].previously'],
    ['hosts[7].name', 'host', 'host'],
    ['groups[0].group', 'group[0].id', 'group[0].id'],
    ['groups[0].othersTo', 'group[0].others_to', 'group[0].others_to'],
    ['policy.limits.delete', 'policy.limits.delete', 'policy.limits.delete'],
    ['policy.deny[0].when', 'policy.deny[0].when', 'policy.deny[0].when'],
    ['nothing', '', ''],
  ])('%s is reported as %s', (part, told, pointed) => {
    const path = blockPath(part, config);
    expect([pathText(path), pathText(pointerTo(path, config))]).toEqual([told, pointed]);
  });
});

test.each([
  ['the entry matches 2 hosts, named "A"', 'the host block matches 2 hosts, named "A"'],
  ['2 entries match the host "LAST-entry" (1)', '2 host blocks match the host "LAST-entry" (1)'],
  ['an entry needs an id or a name', 'a host block needs an id or a name'],
  [
    "the anti-virus list has an entry that can't be read",
    "the anti-virus list has an entry that can't be read",
  ],
  ['specify the group by id: { id: 17 } or { id: -1 }', 'specify the group by id: "17" or "-1"'],
  ['"othersTo" needs "exclusive: true"', '"others_to" needs exclusive = true'],
  ['set "unmanaged: report"', 'set unmanaged = "report"'],
  ['host "a: b" is protected from deleteAfter', 'host "a: b" is protected from delete_after'],
])('a message about a file, in the terms of blocks: %s', (message, expected) => {
  expect(inBlockWords(message)).toBe(expected);
});
