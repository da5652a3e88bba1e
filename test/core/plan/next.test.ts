import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstTaken, joinNumbers, type NumberRecord } from '../../../src/core/model/numbered-name.ts';
import { explain } from '../../../src/core/plan/explain.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { hostId } from '../../given/fleet.ts';
import { inputsFor, type MachineGiven, planFor, readFleet } from '../../given/register.ts';

const numbered = `
rules:
  - { name: names, when: 'host.group != "Wien"', rename: '\${next("BER-LT-", 3)}' }
`;
const none: readonly NumberRecord[] = [];

function renamesOf({ steps }: Pick<Plan, 'steps'>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    steps.flatMap((step) => (step.kind === 'rename' ? [[step.hostId, step.to]] : [])),
  );
}

function plan(yaml: string, machines: readonly MachineGiven[], lastNumbers = none, files = {}): Plan {
  return planFor(yaml, files, machines, { lastNumbers });
}

describe('the next number', () => {
  const two = [
    { id: 2, name: 'PC-A' },
    { id: 10, name: 'PC-B' },
  ];
  const record = (last: number, prefix = 'BER-LT-', digits = 3) => [{ prefix, digits, last }];

  it.each<[string, () => Plan, Readonly<Record<string, string>>]>([
    [
      'begins at 1, in the order of ids',
      () => plan(numbered, two.toReversed()),
      { 2: 'BER-LT-001', 10: 'BER-LT-002' },
    ],
    [
      'follows the highest name of the fleet, whatever its letter case',
      () => plan(numbered, [...two, { id: 1, name: 'ber-lt-007', groupId: 18 }]),
      { 2: 'BER-LT-008', 10: 'BER-LT-009' },
    ],
    [
      'follows the name of an entry whose host is not there yet',
      () => plan(`hosts: [{ name: BER-LT-050, ensure: absent }]${numbered}`, two),
      { 2: 'BER-LT-051', 10: 'BER-LT-052' },
    ],
    [
      'fills no gap',
      () => plan(numbered, [...two, { id: 1, name: 'BER-LT-003' }]),
      { 2: 'BER-LT-004', 10: 'BER-LT-005' },
    ],
    [
      'follows the highest name of an entry',
      () => plan(`hosts: [{ id: 10, name: BER-LT-041 }]${numbered}`, two),
      { 2: 'BER-LT-042', 10: 'BER-LT-041' },
    ],
    [
      'follows the record of earlier runs',
      () => plan(numbered, two, record(90, 'ber-lt-')),
      { 2: 'BER-LT-091', 10: 'BER-LT-092' },
    ],
    [
      'leaves a host alone that has such a name',
      () =>
        plan(numbered, [
          { id: 2, name: 'ber-lt-002' },
          { id: 10, name: 'PC-B' },
        ]),
      { 10: 'BER-LT-003' },
    ],
    [
      'counts on beyond the digits of nothing',
      () => plan(numbered, two, record(997)),
      { 2: 'BER-LT-998', 10: 'BER-LT-999' },
    ],
  ])('%s', (_, made, expected) => {
    const { steps, problems } = made();
    expect(renamesOf({ steps })).toEqual(expected);
    expect(problems).toEqual([]);
  });

  it('follows names that other rules give, and reserved names in a table', () => {
    const yaml = `
tables: [{ name: asset, file: a.csv, key: Serial, join: host.inventory.hardware.serviceTag }]
rules:
  - { name: register, when: has(asset.Name), rename: '\${asset.Name}' }
  - { name: names, when: '!has(asset.Name)', rename: '\${next("BER-LT-", 3)}' }
`;
    const files = { 'a.csv': 'Serial,Name,Note\nS1,BER-LT-005,BER-LT-800\nS9,BER-LT-011,\n' };
    const machines = [
      { id: 1, name: 'A', serial: 'S1' },
      { id: 2, name: 'B', serial: 'S2' },
    ];
    expect(renamesOf(plan(yaml, machines, none, files))).toEqual({ 1: 'BER-LT-005', 2: 'BER-LT-012' });
  });

  it('follows the names of entries, except for other lengths and prefixes', () => {
    const yaml = `
hosts: [{ id: 9, name: BER-LT-020 }, { id: 8, group: Berlin }]
rules:
  - { name: fixed, when: host.id == 7, rename: BER-LT-030 }
  - { name: others, when: host.id == 6, rename: MUC-LT-900 }
  - { name: names, when: 'host.id < 3', rename: '\${next("BER-LT-", 3)}' }
`;
    const machines = [
      { id: 1, name: 'A' },
      { id: 2, name: null },
      { id: 6, name: 'BER-LT-0999' },
      { id: 7, name: 'C' },
      { id: 8, name: 'D' },
      { id: 9, name: 'E' },
    ];
    expect(renamesOf(plan(yaml, machines))).toMatchObject({ 1: 'BER-LT-031', 2: 'BER-LT-032' });
    expect(renamesOf(plan(yaml.replace('BER-LT-030', 'X'), machines))).toMatchObject({ 1: 'BER-LT-021' });
  });

  it('gives no range if no host gets a number', () => {
    const text = `hosts: [{ id: 1, name: KIOSK }]${numbered}`;
    expect(planFor(text, {}, [{ id: 1, name: 'PC' }])).not.toHaveProperty('numbers');
  });

  it('reports in the plan which numbers it gives, and that it has no record of earlier ones', () => {
    const { numbers, problems } = planFor(numbered, {}, two);
    expect(numbers).toEqual([{ prefix: 'BER-LT-', digits: 3, first: 1, last: 2 }]);
    expect(problems).toMatchObject([
      {
        severity: 'note',
        code: 'numbers-unrecorded',
        message: expect.stringContaining('the numbers from "BER-LT-001" on are new'),
      },
    ]);
  });

  it('is the same in an explanation', () => {
    const inputs = inputsFor(numbered, {}, two, { lastNumbers: none });
    const { attributes } = explain(hostId(10), inputs, { steps: [], problems: [] }) ?? {};
    expect(attributes?.find(({ attribute }) => attribute === 'name')?.intended).toBe('BER-LT-002');
  });

  it.each([
    ['when no number is left', '"BER-LT-", 3', 'next("BER-LT-", 3): no number of 3 digits is left'],
    [
      'for a text that ends with a digit',
      '"BER-1", 3',
      'next("BER-1", 3): the text must end with a character other than a digit',
    ],
    ['for no text', '"", 3', 'next("", 3): the text must end with a character other than a digit'],
    ['for no digits', '"A", 0', 'next("A", 0): the number has 1 to 9 digits'],
    ['for too many digits', '"A", 10', 'next("A", 10): the number has 1 to 9 digits'],
  ])('is refused %s', (_, args, message) => {
    const made = plan(numbered.replace('"BER-LT-", 3', args), two, record(999));
    const { applicable, problems, steps } = made;
    expect(applicable).toBe(false);
    expect(made).not.toHaveProperty('numbers');
    expect(steps).toEqual([]);
    expect(problems.map((each) => each.message)).toEqual(
      expect.arrayContaining([expect.stringContaining(message)]),
    );
  });

  it('is for names only', () => {
    const { problems } = readFleet(`rules: [{ name: a, when: 'next("A", 1) == "A1"', group: Berlin }]`);
    expect(problems.map(({ message }) => message)).toEqual([
      'next can only be used in the "rename" of a rule',
    ]);
  });
});

/** Two machines that share a record of runs plan and apply in any order, while others change the fleet. */
type Act =
  | { readonly kind: 'plan' | 'apply'; readonly machine: 0 | 1 }
  | { readonly kind: 'enroll'; readonly id: number }
  | { readonly kind: 'delete'; readonly index: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('plan', 'apply'), machine: fc.constantFrom(0, 1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('enroll' as const), id: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), index: fc.nat(2) }) },
);

const numRuns = process.env['RAMPART_SOAK'] === '1' ? 10_000 : 60;

it('gives no number twice, however machines with a shared state interleave', {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(fc.array(act, { minLength: 6, maxLength: 20, size: 'max' }), (acts) => {
      let fleet: readonly MachineGiven[] = [20, 21].map((id) => ({ id, name: `PC-${id}` }));
      const ids = new Set([20, 21]);
      let record: { readonly numbers: readonly NumberRecord[]; readonly by: Plan } | undefined;
      const plans: (Plan | undefined)[] = [];
      const given = new Map<string, string>();
      for (const each of acts) {
        if (each.kind === 'enroll') {
          // No host gets the id of a deleted one.
          if (ids.has(each.id)) continue;
          ids.add(each.id);
          fleet = [...fleet, { id: each.id, name: `PC-${each.id}` }];
        } else if (each.kind === 'delete') fleet = fleet.filter((_, index) => index !== each.index);
        else if (each.kind === 'plan') plans[each.machine] = plan(numbered, fleet, record?.numbers ?? none);
        else {
          const saved = plans[each.machine];
          if (saved === undefined) continue;
          const { numbers = [] } = saved;
          if (record?.by !== saved && firstTaken(record?.numbers ?? [], numbers) !== undefined) continue;
          record = { numbers: joinNumbers(record?.numbers ?? [], numbers), by: saved };
          const to = renamesOf(saved);
          for (const { id, name } of fleet) {
            const next = to[id];
            if (next === undefined || name === next) continue;
            expect(given.get(next) ?? String(id), `${next} twice`).toBe(String(id));
            given.set(next, String(id));
          }
          fleet = fleet.map((host) => ({ ...host, name: to[host.id] ?? host.name ?? null }));
        }
      }
      const names = fleet.flatMap(({ name }) => name ?? []);
      expect(new Set(names).size).toBe(names.length);
    }),
    { numRuns },
  );
});
