import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { hostsOf } from '../../../src/core/model/observed.ts';
import { parseChangeWindow } from '../../../src/core/model/parse-change-window.ts';
import {
  type ChangePolicy,
  type GroupPolicy,
  noPolicy,
  type Policy,
  type Protection,
  type WindowPolicy,
} from '../../../src/core/model/policy.ts';
import type { HostDifference } from '../../../src/core/plan/difference/compare.ts';
import { printPlan, readPlan } from '../../../src/core/plan/document/plan-document.ts';
import { acknowledge } from '../../../src/core/plan/guards/guard.ts';
import { type PolicyInputs, policyProblems } from '../../../src/core/plan/guards/policies.ts';
import { atTime, timeProblems } from '../../../src/core/plan/guards/time-problems.ts';
import { expulsions } from '../../../src/core/plan/intents/groups.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { predict } from '../../../src/core/plan/ordering/predict.ts';
import type { Problem } from '../../../src/core/problem/problem.ts';
import { given } from '../../given/condition.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { type GivenHost, givenFleet, groupId, hostId } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';

const place = { file: 'fleet.yaml', line: 9, col: 3 };
const groups = { 17: 'Berlin', 18: 'Attic', 19: 'Domain Controllers' };

interface GivenChange {
  readonly rename?: string;
  readonly move?: string | number;
  readonly antivirus?: true;
  readonly delete?: true;
}

interface Given {
  readonly hosts: readonly GivenHost[];
  readonly changes?: Readonly<Record<string, GivenChange>>;
  readonly policy: Partial<Policy>;
  readonly claimed?: readonly (string | number)[];
  readonly now?: string;
}

function inputsOf({
  hosts,
  changes = {},
  policy,
  claimed = [],
  now = '2026-11-21T09:00:00Z',
}: Given): PolicyInputs {
  const observed = givenFleet(hosts, groups);
  const ids = new Set(claimed.map((id) => hostId(id)));
  return {
    policy: { ...noPolicy, ...policy },
    changes: Object.entries(changes).map(
      ([id, { rename, move, antivirus, delete: toDelete }]): HostDifference => {
        const host = observed.byId(hostId(id));
        if (host === undefined) throw new Error(`no host ${id}`);
        const target = move === undefined ? undefined : groupId(move);
        return {
          host,
          ...(rename === undefined ? {} : { rename }),
          ...(target === undefined
            ? {}
            : { move: { id: target, name: observed.groupById(target)?.name ?? null } }),
          antivirus: antivirus ?? false,
          delete: toDelete ?? false,
          claims: {},
        };
      },
    ),
    observed,
    facts: { lists: [], customFieldsOf: () => undefined, inventoryOf: () => undefined },
    now,
    isClaimed: (id) => ids.has(id),
    claimsGroup: (id) => ids.has(id),
  };
}

function messagesOf(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ severity, code, message }) => `${severity}[${code}] ${message}`);
}

function judge(what: Given): readonly string[] {
  return messagesOf(policyProblems(inputsOf(what)).problems);
}

const three: readonly GivenHost[] = [
  { id: 1, name: 'DC-1', group: 19 },
  { id: 2, name: 'PC-2', group: 17, online: false },
  { id: 3, name: null },
];

describe('protect', () => {
  const dcs: Protection = {
    name: 'dcs',
    when: given('host.group == "Domain Controllers"', ({ group }) => group === 'Domain Controllers'),
    from: ['delete', 'rename'],
    place,
  };

  test.each<[string, Given['changes'], readonly string[]]>([
    ['a deletion', { 1: { delete: true } }, ['protected: "DC-1" (1) would be deleted (protection "dcs")']],
    [
      'a rename',
      { 1: { rename: 'X' } },
      ['protected: "DC-1" (1) would be renamed to "X" (protection "dcs")'],
    ],
    ['what it does not list', { 1: { move: 17, antivirus: true } }, []],
    ['another host', { 2: { delete: true, rename: 'X' } }, []],
    ['a host that comes into the group', { 2: { rename: 'X', move: 19 } }, []],
    [
      'a host that leaves the group',
      { 1: { rename: 'X', move: 17 } },
      ['protected: "DC-1" (1) would be renamed to "X" (protection "dcs")'],
    ],
  ])('%s', (_what, changes, messages) => {
    expect(judge({ hosts: three, ...(changes && { changes }), policy: { protect: [dcs] } })).toEqual(
      messages.map((message) => `error[protected] ${message}`),
    );
  });

  it('shows its message', () => {
    const protect = [{ ...dcs, message: 'nobody can log in without them' }];
    expect(judge({ hosts: three, changes: { 1: { delete: true } }, policy: { protect } })).toEqual([
      'error[protected] nobody can log in without them: "DC-1" (1) would be deleted (protection "dcs")',
    ]);
  });

  it("refuses what it can't decide", () => {
    const when = given('1 / 0', () => {
      throw new Error('division by zero');
    });
    const changes = { 1: { delete: true, rename: 'X' }, 2: { delete: true } } as const;
    expect(judge({ hosts: three, changes, policy: { protect: [{ ...dcs, when }] } })).toEqual([
      'error[policy-undecided] protection "dcs" can\'t be evaluated for "DC-1" (1), "PC-2" (2): division by zero',
    ]);
  });
});

describe('deny and warn', () => {
  const policy = (when: ChangePolicy['when'], effect: ChangePolicy['effect'] = 'deny') => ({
    changes: [{ name: 'mine', effect, when, message: 'not so', place }],
  });
  const online = given(
    'change.kind == "delete" && host.online',
    ({ host }, change) => change?.kind === 'delete' && host.online,
  );

  it('refuses exactly the changes that it matches', () => {
    const changes = { 1: { delete: true }, 2: { delete: true }, 3: { rename: 'X' } } as const;
    expect(judge({ hosts: three, changes, policy: policy(online) })).toEqual([
      'error[denied] not so: "DC-1" (1) would be deleted (deny "mine")',
    ]);
  });

  it('only reports them with warn', () => {
    expect(judge({ hosts: three, changes: { 1: { delete: true } }, policy: policy(online, 'warn') })).toEqual(
      ['warning[policy-warning] not so: "DC-1" (1) would be deleted (warn "mine")'],
    );
  });

  it('is one problem for each kind of change, with the names of all hosts', () => {
    const result = policyProblems(
      inputsOf({
        hosts: three,
        changes: { 1: { rename: 'A', move: 17 }, 2: { rename: 'B' }, 3: { antivirus: true } },
        policy: policy(given('true', () => true)),
      }),
    );
    expect(messagesOf(result.problems)).toEqual([
      'error[denied] not so: "DC-1" (1), "PC-2" (2) would be renamed (deny "mine")',
      'error[denied] not so: "DC-1" (1) would be moved to "Berlin" (deny "mine")',
      'error[denied] not so: a host without a name (3) would be given the anti-virus (deny "mine")',
    ]);
    expect(result.problems[0]).toMatchObject({ place, hostIds: ['1', '2'] });
  });

  it("reports the reason of the first host that it can't decide", () => {
    const when = given('', ({ host }) => {
      throw new Error(`no key for ${host.id}`);
    });
    const changes = { 1: { delete: true }, 2: { delete: true } } as const;
    expect(judge({ hosts: three, changes, policy: policy(when) })).toEqual([
      'error[policy-undecided] deny "mine" can\'t be evaluated for "DC-1" (1), "PC-2" (2): no key for 1',
    ]);
  });

  it("a warn policy that can't be decided is a warning", () => {
    const when = given('', () => {
      throw new Error('no such key');
    });
    const changes = { 1: { delete: true } } as const;
    expect(judge({ hosts: three, changes, policy: policy(when, 'warn') })).toEqual([
      'warning[policy-undecided] warn "mine" can\'t be evaluated for "DC-1" (1): no such key',
    ]);
  });
});

describe('times', () => {
  const hours = (source: string) => {
    const parsed = parseChangeWindow(source);
    if (!parsed.ok) throw new Error(source);
    return parsed.window;
  };
  const nights: WindowPolicy = { name: 'nights', only: [hours('Mon-Fri 20:00-06:00 Europe/Berlin')], place };
  const rename = { 2: { rename: 'X' } } as const;
  const windows = (...all: WindowPolicy[]) => ({ hosts: three, changes: rename, policy: { windows: all } });

  it('a plan is checked again when it is applied, in both directions, even after it was saved and read', () => {
    const inputs = inputsOf(windows(nights));
    const { constraints } = policyProblems(inputs);
    const bare = givenPlan({ entries: [{ id: 2, name: 'X' }], hosts: three, groups });
    const read = readPlan(
      printPlan(atTime({ ...bare, ...(constraints && { constraints }) }, inputs.now)),
      'p.json',
    );
    if (!read.ok) throw new Error(read.problems[0]?.message);
    const plan = read.value;

    expect(plan.constraints).toEqual(constraints);
    expect(plan.applicable).toBe(false);
    const inside = atTime(plan, '2026-11-23T20:00:00Z');
    expect(inside.applicable).toBe(true);
    expect(inside.problems).toEqual(bare.problems);
    expect(messagesOf(timeProblems(inside, '2026-11-24T09:00:00Z'))).toHaveLength(1);
    expect(atTime(inside, '2026-11-24T09:00:00Z').applicable).toBe(false);
  });
});

describe('several policies', () => {
  const always = given('true', () => true);
  const protect: Protection = { name: 'all', when: always, from: ['delete'], place };
  const deny: ChangePolicy = { name: 'mine', effect: 'deny', when: always, message: 'not so', place };
  const parsed = parseChangeWindow('Mon-Fri 18:00-24:00 Z');
  const window: WindowPolicy = { name: 'evenings', only: parsed.ok ? [parsed.window] : [], place };
  const freeze = { name: 'year end', place };

  test.each<[string, Partial<Policy>, readonly string[]]>([
    ['a protection and a denial', { protect: [protect], changes: [deny] }, ['protected', 'denied']],
    ['a denial and a window', { changes: [deny], windows: [window] }, ['denied', 'outside-window']],
    ['a window and a freeze', { windows: [window], freezes: [freeze] }, ['frozen', 'outside-window']],
    [
      'one of each kind',
      { protect: [protect], changes: [deny], windows: [window], freezes: [freeze] },
      ['protected', 'denied', 'frozen', 'outside-window'],
    ],
  ])('are all enforced: %s', (_what, policy, codes) => {
    const { problems } = policyProblems(
      inputsOf({ hosts: three, changes: { 2: { delete: true } }, policy, now: '2026-11-23T09:00:00Z' }),
    );
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });
});

describe('limits of a group', () => {
  const hosts = Array.from({ length: 20 }, (_, index) => ({
    id: index + 1,
    name: `PC-${index + 1}`,
    group: index < 10 ? 17 : 18,
  }));
  const berlin: GroupPolicy = {
    group: { kind: 'named', name: 'Berlin' },
    exclusive: false,
    limits: { delete: { kind: 'count', count: 0 }, move: { kind: 'share', percent: 20 } },
    place,
  };
  const moves = (ids: readonly number[], move: number) => Object.fromEntries(ids.map((id) => [id, { move }]));

  test.each<[string, Given['changes'], readonly string[]]>([
    [
      'a deletion where none is allowed',
      { 1: { delete: true } },
      ['1 deletion is planned in "Berlin", but the limit is 0'],
    ],
    ['a deletion elsewhere', { 11: { delete: true } }, []],
    ['moves out, up to the share', moves([1, 2], 18), []],
    [
      'moves out, above the share',
      moves([1, 2, 3], 18),
      ['3 moves are planned in "Berlin", but the limit is 2'],
    ],
    ['moves into it', moves([11, 12, 13], 17), []],
    ['what has no limit', { 1: { rename: 'X' }, 2: { antivirus: true } }, []],
  ])('%s', (_what, changes, messages) => {
    const given = { hosts, ...(changes && { changes }), policy: { groups: [berlin] } };
    expect(judge(given)).toEqual(messages.map((message) => `error[group-limit-exceeded] ${message}`));
  });

  it('do not affect a group without hosts', () => {
    const attic: GroupPolicy = { ...berlin, group: { kind: 'named', name: 'Attic' }, unmanaged: 'forbid' };
    const changes = { 1: { move: 18 } };
    expect(judge({ hosts: hosts.slice(0, 10), changes, policy: { groups: [attic] } })).toEqual([]);
  });

  it("can't be lifted by an approval", () => {
    const { breaches, problems } = policyProblems(
      inputsOf({ hosts, changes: { 1: { delete: true } }, policy: { groups: [berlin] } }),
    );
    expect(breaches).toEqual([
      { limit: 'delete', group: 'Berlin', count: 1, allowed: 0, acknowledged: false },
    ]);
    const plan = givenPlan({ entries: [{ id: 1, ensure: 'absent' }], hosts, groups });
    const approved = acknowledge({ ...plan, breaches, problems, applicable: false }, { delete: 1 });
    expect(approved.applicable).toBe(false);
    expect(approved.breaches).toEqual(breaches);
    expect(messagesOf(approved.problems)).toEqual(messagesOf(problems));
  });

  it('for a group that does not exist are reported', () => {
    expect(
      judge({ hosts, policy: { groups: [{ ...berlin, group: { kind: 'named', name: 'Berlim' } }] } }),
    ).toEqual(['error[unknown-group] group "Berlim" does not exist']);
  });
});

describe('unmanaged hosts', () => {
  const hosts: readonly GivenHost[] = [
    { id: 10, name: 'B', group: 17 },
    { id: 9, name: 'A', group: 17 },
    { id: 3, name: 'C' },
  ];
  const unmanaged = (what: 'ignore' | 'report' | 'forbid') => ({ unmanaged: { what, place } });
  const group = (what: 'ignore' | 'report' | 'forbid', of = 17): GroupPolicy => ({
    group: { kind: 'id', id: groupId(of) },
    unmanaged: what,
    exclusive: false,
    limits: {},
    place,
  });

  test.each<[string, Given, readonly string[]]>([
    ['are left alone', { hosts, policy: {} }, []],
    ['are ignored', { hosts, policy: unmanaged('ignore') }, []],
    [
      'are reported, in the order of their ids',
      { hosts, policy: unmanaged('report') },
      ['warning[unmanaged-hosts] 3 hosts are unmanaged: "C" (3), "A" (9), "B" (10)'],
    ],
    [
      'are forbidden',
      { hosts, policy: unmanaged('forbid'), claimed: [9, 10] },
      ['error[unmanaged-hosts] "C" (3) is unmanaged'],
    ],
    ['are not those that are claimed', { hosts, policy: unmanaged('forbid'), claimed: [3, 9, 10] }, []],
    [
      'of one group are forbidden',
      { hosts, policy: { groups: [group('forbid')] }, claimed: [9] },
      ['error[unmanaged-hosts] "B" (10) in "Berlin" is unmanaged'],
    ],
    [
      'of no group are forbidden',
      { hosts, policy: { groups: [group('forbid', -1)] } },
      ['error[unmanaged-hosts] "C" (3) in no group is unmanaged'],
    ],
    [
      'of one group are left out of what is said of all',
      { hosts, policy: { ...unmanaged('forbid'), groups: [group('ignore')] } },
      ['error[unmanaged-hosts] "C" (3) is unmanaged'],
    ],
  ])('%s', (_what, what, messages) => {
    expect(judge(what)).toEqual(messages);
  });

  it('are only counted after the tenth', () => {
    const many = Array.from({ length: 25 }, (_, index) => ({ id: index + 1, name: `PC-${index + 1}` }));
    const { problems } = policyProblems(inputsOf({ hosts: many, policy: unmanaged('report') }));
    expect(problems[0]?.message).toMatch(/^25 hosts are .*: "PC-1" \(1\), .*"PC-10" \(10\) and 15 more$/);
    expect(problems[0]?.hostIds).toHaveLength(10);
  });
});

describe('exclusive groups', () => {
  const hosts: readonly GivenHost[] = [
    { id: 1, name: 'A', group: 17 },
    { id: 2, name: 'B', group: 17 },
    { id: 3, name: 'C', group: 18 },
  ];
  const exclusive: GroupPolicy = {
    group: { kind: 'named', name: 'Berlin' },
    exclusive: true,
    limits: {},
    place,
  };
  const moving: GroupPolicy = { ...exclusive, othersTo: { group: { kind: 'named', name: 'Attic' }, place } };
  const moved = (what: Given) => {
    const { policy, observed, claimsGroup } = inputsOf(what);
    return expulsions(policy, observed, claimsGroup);
  };

  it('report hosts that do not belong in them', () => {
    const what: Given = { hosts, policy: { groups: [exclusive] }, claimed: [1] };
    expect(judge(what)).toEqual([
      'warning[exclusive-group] "B" (2) is in "Berlin" without an entry or a rule for that group',
    ]);
    expect(moved(what)).toEqual([]);
    expect(judge({ ...what, claimed: [1, 2] })).toEqual([]);
  });

  it('or move them out', () => {
    const what: Given = { hosts, policy: { groups: [moving] }, claimed: [1] };
    expect(judge(what)).toEqual([]);
    expect(moved(what)).toEqual([
      { host: inputsOf(what).observed.byId(hostId(2)), to: { kind: 'named', name: 'Attic' }, place },
    ]);
  });

  it('leave a settled plan unchanged, whatever hosts they have', () => {
    const host = fc.record({
      group: fc.constantFrom(17, 18, 19, -1),
      intent: fc.constantFrom(17, 18, 19, undefined),
    });
    fc.assert(
      fc.property(fc.array(host, { maxLength: 12 }), (all) => {
        const observed = givenFleet(
          all.map(({ group }, index) => ({ id: index + 1, name: `PC-${index + 1}`, group })),
          groups,
        );
        const entries = all.flatMap(({ intent }, index) =>
          intent === undefined ? [] : [{ id: index + 1, group: { id: intent } }],
        );
        const inputs = {
          desired: { ...givenDesired(entries, noLimits), policy: { ...noPolicy, groups: [moving] } },
          account: { companyId: '1', service: 'test' },
          now: '2026-11-21T09:00:00Z',
        };
        const plan = makePlan({ ...inputs, observed });
        expect(messagesOf(plan.problems)).toEqual([]);
        const after = predict(observed, plan.steps);
        expect(makePlan({ ...inputs, observed: after }).steps).toEqual([]);
        const stay = all.flatMap(({ intent }, index) => (intent === 17 ? [hostId(index + 1)] : []));
        expect(
          hostsOf(after)
            .filter((each) => each.groupId === '17')
            .map(({ id }) => id),
        ).toEqual(stay);
      }),
    );
  });

  it('move no host out of a group that does not exist', () => {
    const nowhere = { ...moving, group: { kind: 'named', name: 'Berlim' } } as const;
    expect(moved({ hosts, policy: { groups: [nowhere] } })).toEqual([]);
  });
});
