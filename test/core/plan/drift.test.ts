import { describe, expect, it } from 'vitest';
import type { KnownDrift } from '../../../src/core/model/desired.ts';
import { hostsOf } from '../../../src/core/model/observed.ts';
import { baselineOfFleet, baselineOfPlan } from '../../../src/core/plan/drift/baseline.ts';
import { type DriftDifference, findDrift } from '../../../src/core/plan/drift/drift.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { at, type GivenHost, givenFleet, named } from '../../given/fleet.ts';

const groups = { 10: 'Berlin', 11: 'Munich' };
const account = { companyId: '1', service: 'emulator' };
const place = { file: 'fleet.yaml', line: 1, col: 1 };

interface Given {
  readonly entries: readonly GivenEntry[];
  readonly live: readonly GivenHost[];
  /** As the last run left it; nothing is known of it when absent. */
  readonly left?: readonly GivenHost[];
  /** As if a run before that had left the values that others changed meanwhile. */
  readonly earlier?: readonly GivenHost[];
  readonly known?: readonly Omit<KnownDrift, 'place'>[];
  readonly all?: true;
}

function drift({ entries, live, left, earlier = [], known = [], all }: Given) {
  const desired = {
    ...givenDesired(entries, noLimits),
    knownDrift: known.map((each) => ({ ...each, place })),
  };
  return findDrift(
    { desired, observed: givenFleet(live, groups), account, now: at },
    {
      ...(left === undefined
        ? {}
        : {
            baseline: baselineOfFleet(
              { observed: givenFleet(left, groups), earlier: hostsOf(givenFleet(earlier)) },
              'the last run',
            ),
          }),
      unmanaged: all ?? false,
    },
  );
}

const say = ({ kind, hostId, attribute, before, observed, intended, known }: DriftDifference) =>
  `${kind}: ${hostId} ${attribute} ${before ?? '?'} / ${observed} / ${intended}${known === undefined ? '' : ` (${known})`}`;

const cases: readonly [string, Given, readonly string[]][] = [
  [
    'a fleet that is as it was left, and as the file wants it, has none',
    { entries: [{ id: 1, name: 'A' }], left: [{ id: 1, name: 'A' }], live: [{ id: 1, name: 'A' }] },
    [],
  ],
  [
    'a host that someone renamed drifted',
    { entries: [{ id: 1, name: 'A' }], left: [{ id: 1, name: 'A' }], live: [{ id: 1, name: 'X' }] },
    ['drift: 1 name A / X / A'],
  ],
  [
    'a name that only the file changed is pending',
    { entries: [{ id: 1, name: 'B' }], left: [{ id: 1, name: 'A' }], live: [{ id: 1, name: 'A' }] },
    ['pending: 1 name A / A / B'],
  ],
  [
    'a name that both changed is told as such',
    { entries: [{ id: 1, name: 'B' }], left: [{ id: 1, name: 'A' }], live: [{ id: 1, name: 'X' }] },
    ['both: 1 name A / X / B'],
  ],
  [
    'someone who did by hand what the file asks for leaves no difference',
    { entries: [{ id: 1, name: 'B' }], left: [{ id: 1, name: 'A' }], live: [{ id: 1, name: 'B' }] },
    [],
  ],
  [
    'a host that someone renamed before a run that left it alone still drifted',
    {
      entries: [{ id: 1, name: 'A', group: 'Berlin' }],
      earlier: [{ id: 1, name: 'A', group: 10 }],
      left: [{ id: 1, name: 'X', group: 11 }],
      live: [{ id: 1, name: 'X', group: 11 }],
    },
    ['drift: 1 name A / X / A', 'drift: 1 group Berlin / Munich / Berlin'],
  ],
  [
    'a host that someone renamed before and after a run that left it alone drifted',
    {
      entries: [{ id: 1, name: 'A' }],
      earlier: [{ id: 1, name: 'A' }],
      left: [{ id: 1, name: 'X' }],
      live: [{ id: 1, name: 'Y' }],
    },
    ['drift: 1 name A / Y / A'],
  ],
  [
    'a host that someone deleted before a run that left it alone is still missing',
    { entries: [{ id: 1, name: 'A' }], earlier: [{ id: 1, name: 'A' }], left: [], live: [] },
    ['drift: 1 presence present / absent / present'],
  ],
  [
    'a pinned host that is gone was deleted by someone',
    { entries: [{ id: 1, name: 'A' }], left: [{ id: 1, name: 'A' }], live: [] },
    ['drift: 1 presence present / absent / present'],
  ],
  [
    'a deletion that is still to come is pending',
    { entries: [{ id: 1, ensure: 'absent' }], left: [{ id: 1, name: 'A' }], live: [{ id: 1, name: 'A' }] },
    ['pending: 1 presence present / present / absent'],
  ],
  [
    'anti-virus that is gone drifted',
    {
      entries: [{ id: 1, antivirus: true }],
      left: [{ id: 1, name: 'A', antivirus: 'installed' }],
      live: [{ id: 1, name: 'A', antivirus: 'missing' }],
    },
    ['drift: 1 antivirus installed / not installed / installed'],
  ],
  [
    'without a baseline nobody can tell',
    { entries: [{ id: 1, name: 'A' }], live: [{ id: 1, name: 'X' }] },
    ['undecided: 1 name ? / X / A'],
  ],
  [
    'what an entry ignores is not compared',
    {
      entries: [{ id: 1, name: 'A', ignore: ['name'] }],
      left: [{ id: 1, name: 'A' }],
      live: [{ id: 1, name: 'X' }],
    },
    [],
  ],
  [
    'known drift carries its reason, found by id or by any of its names',
    {
      entries: named('A', 'B'),
      left: named('A', 'B'),
      live: named('X', 'Y'),
      known: [
        { host: { name: 'A' }, attributes: ['name'], reason: 'the vendor' },
        { host: { name: 'Y' }, attributes: ['group'], reason: 'not this' },
      ],
    },
    ['drift: 1 name A / X / A (the vendor)', 'drift: 2 name B / Y / B'],
  ],
];

describe('drift', () => {
  it.each(cases)('%s', (_case, given, expected) => {
    expect(drift(given).differences.map(say)).toEqual(expected);
  });

  it('reports known drift that has expired or does not exist', () => {
    const { problems, differences } = drift({
      entries: [{ id: 1, name: 'A' }],
      left: [{ id: 1, name: 'A' }],
      live: [{ id: 1, name: 'X' }],
      known: [
        { host: { name: 'A' }, attributes: ['name'], reason: 'for a while', until: '2026-01-01T00:00:00Z' },
        { host: { name: 'nobody' }, attributes: ['name'], reason: 'deleted' },
      ],
    });
    expect(differences.map(say)).toEqual(['drift: 1 name A / X / A']);
    expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: this known drift has expired',
      'warning: this known drift does not exist',
    ]);
  });

  it('of unmanaged hosts is reported only on request', () => {
    const given: Given = {
      entries: [],
      left: named('A', 'B'),
      live: [
        { id: 1, name: 'X', group: 10 },
        { id: 3, name: 'C' },
      ],
    };
    expect(drift(given).unmanaged).toEqual([]);
    expect(drift({ ...given, all: true }).unmanaged.map(say)).toEqual([
      'drift: 1 name A / X / ',
      'drift: 1 group  / Berlin / ',
      'drift: 3 presence absent / present / ',
      'drift: 2 presence present / absent / ',
    ]);
  });

  it('can be derived from a plan, for the hosts that it changed', () => {
    const entries: readonly GivenEntry[] = [
      { id: 1, name: 'A', group: 'Berlin' },
      { id: 2, name: 'B' },
    ];
    const before = givenFleet(named('old', 'B'), groups);
    const desired = givenDesired(entries, noLimits);
    const plan = makePlan({ desired, observed: before, account, now: at });
    const observed = givenFleet(
      [
        { id: 1, name: 'A', group: 11 },
        { id: 2, name: 'Y' },
      ],
      groups,
    );
    const report = findDrift(
      { desired, observed, account, now: at },
      { baseline: baselineOfPlan(plan, 'plan.json'), unmanaged: false },
    );
    expect(report.differences.map(say)).toEqual([
      'drift: 1 group Berlin / Munich / Berlin',
      'undecided: 2 name ? / Y / B',
    ]);
  });
});
