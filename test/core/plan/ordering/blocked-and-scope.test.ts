import { describe, expect, it } from 'vitest';
import { nothingRecalled } from '../../../../src/core/model/install-request.ts';
import type { Plan } from '../../../../src/core/plan/types/plan.ts';
import type { PlanInputs } from '../../../../src/core/plan/types/plan-inputs.ts';
import { hostIdsOf } from '../../../../src/core/plan/types/step.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../../given/desired.ts';
import { at, type GivenHost, givenFleet, hostId, named } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';

const hosts: readonly GivenHost[] = ['A', 'B', 'C', 'D', 'E'].map((name, index) => ({ id: index + 1, name }));

function planOf(entries: readonly GivenEntry[], options: Partial<PlanInputs> = {}, fleet = hosts): Plan {
  return givenPlan({ entries, hosts: fleet, options });
}

const stepsOf = ({ steps }: Plan) =>
  steps.map((step) =>
    step.kind === 'rename' || step.kind === 'temporary-rename'
      ? `${step.id} ${step.kind} ${step.hostId} ${step.from} after ${step.after.join(',') || 'nothing'}`
      : `${step.id} ${step.kind} ${hostIdsOf(step).join(',')}`,
  );

const problemsOf = ({ problems }: Plan) =>
  problems.map(({ severity, code, message, hint, place, hostIds }) =>
    [`${severity} ${code}: ${message}`, hint, place && `line ${place.line}`, hostIds?.join(',')]
      .filter((part) => part !== undefined)
      .join(' | '),
  );

describe('a name that another host keeps', () => {
  it.each<
    [what: string, entries: readonly GivenEntry[], options: Partial<PlanInputs>, told: readonly string[]]
  >([
    [
      'refuses the plan, at the entry',
      [{ id: 1, name: 'B' }],
      {},
      [
        'error name-conflict: "A" (1) can\'t be renamed to "B": host 2 keeps the name | rename or delete host 2 first, or add --skip-blocked to leave out this rename | line 1 | 1,2',
      ],
    ],
    [
      'is the same name to the service in another case',
      [{ id: 1, name: 'b' }],
      {},
      [
        'error name-conflict: "A" (1) can\'t be renamed to "b": host 2 keeps "B" (equal names to the service) | rename or delete host 2 first, or add --skip-blocked to leave out this rename | line 1 | 1,2',
      ],
    ],
    [
      'blocks all that wait for it, which are counted',
      [
        { id: 3, name: 'A' },
        { id: 1, name: 'B' },
      ],
      {},
      [
        'error name-conflict: "A" (1) can\'t be renamed to "B": host 2 keeps the name | rename or delete host 2 first, or add --skip-blocked to leave out this rename | line 2 | 1,2',
        'note blocked: name conflicts block 2 renames | 1,3',
      ],
    ],
    [
      'only leaves out what waits for it if that is wanted',
      [
        { id: 3, name: 'A' },
        { id: 1, name: 'B' },
        { id: 4, name: 'X' },
      ],
      { skipBlocked: true },
      [
        'warning name-conflict: "A" (1) can\'t be renamed to "B": host 2 keeps the name | rename or delete host 2 first | line 2 | 1,2',
        'note blocked: 2 renames left out because of name conflicts | 1,3',
      ],
    ],
  ])('%s', (_, entries, options, told) => {
    const plan = planOf(entries, options);
    expect(problemsOf(plan)).toEqual(told);
    expect(plan.applicable).toBe(options.skipBlocked === true);
    if (options.skipBlocked === true) expect(stepsOf(plan)).toEqual(['s1 rename 4 D after nothing']);
  });
});

it('a name conflict is reported at the name of its entry', () => {
  const desired = {
    ...givenDesired([{ id: 1, name: 'B' }], noLimits),
    placeOf: (_: number, key?: string) => ({ file: 'fleet.yaml', line: 1, col: key === 'name' ? 7 : 1 }),
  };
  const { problems } = planOf([], { desired });
  expect(problems.map(({ code, place }) => [code, place?.col])).toEqual([['name-conflict', 7]]);
});

describe('the calls of a plan', () => {
  const ring: readonly GivenEntry[] = named('B', 'A');
  const many = hosts.map((host) => ({ ...host, antivirus: 'missing' as const, online: false }));
  it.each<[string, readonly GivenEntry[], Partial<PlanInputs>, object]>([
    ['a ring and a chain', [...ring, { id: 3, name: 'D' }, { id: 4, name: 'X' }], {}, { rename: 5 }],
    [
      'a name of a host that is deleted',
      [
        { id: 1, ensure: 'absent' },
        { id: 2, name: 'A' },
      ],
      {},
      { rename: 2, delete: 1 },
    ],
    [
      'names of two hosts that are deleted',
      [
        { id: 1, ensure: 'absent' },
        { id: 2, ensure: 'absent' },
        { id: 3, name: 'A' },
        { id: 4, name: 'B' },
      ],
      { batchSize: 1 },
      { rename: 4, delete: 2 },
    ],
    [
      'a name of a host that is deleted first',
      [
        { id: 1, ensure: 'absent' },
        { id: 2, name: 'A' },
      ],
      { deleteFirst: true },
      { rename: 1, delete: 1 },
    ],
    [
      'moves to two groups and installs, in batches of two',
      many.map(({ id }, at) => ({ id, antivirus: true, group: { id: at < 3 ? 10 : 12 } })),
      { batchSize: 2 },
      { move: 3, antivirus: 3 },
    ],
    [
      'what a conflict leaves',
      [
        { id: 1, name: 'B' },
        { id: 3, name: 'A' },
        { id: 4, name: 'X' },
      ],
      { skipBlocked: true },
      { rename: 1 },
    ],
    [
      'a ring that a conflict blocks',
      [...ring, { id: 4, name: 'X' }],
      { skipBlocked: true, observed: givenFleet([...hosts, { id: 6, name: 'b' }]) },
      { rename: 1 },
    ],
  ])('are as many as its steps, and as few as possible: %s', (_, entries, options, byAction) => {
    const { calls, steps, summary } = givenPlan({
      entries,
      hosts: many,
      groups: { 10: 'X', 12: 'Y' },
      options,
    });
    expect([calls.planned, calls.minimum]).toEqual([steps.length, steps.length]);
    const none = { rename: 0, move: 0, delete: 0, antivirus: 0, refresh: 0 };
    expect(calls.byAction).toEqual({ ...none, ...byAction });
    const count = (kind: string) => steps.filter((step) => step.kind === kind).length;
    expect([summary.rename, summary.temporaryRename]).toEqual([count('rename'), count('temporary-rename')]);
  });
});

describe('the order of renames', () => {
  it('begins with the longest chain, and breaks a ring at the host with the lowest id', () => {
    const chain = named('X', 'C', 'D', 'Y');
    expect(planOf(chain).steps.map((step) => hostIdsOf(step).join())).toEqual(['4', '3', '2', '1']);
    // Two hosts have the name that host 9 gets, and one of them waits for the name of host 9.
    const alike = [
      { id: 1, name: 'c' },
      { id: 5, name: 'C' },
      { id: 9, name: 'D' },
    ];
    const ring = [
      { id: 1, name: 'X' },
      { id: 5, name: 'D' },
      { id: 9, name: 'C' },
    ];
    const steps = planOf(ring, {}, alike).steps.map((step) => `${step.kind} ${hostIdsOf(step).join()}`);
    expect(steps).toEqual(['temporary-rename 5', 'rename 1', 'rename 9', 'rename 5']);
  });

  it('gives a host of a ring a temporary name, and its last step waits for that and for the name', () => {
    const plan = planOf(named('B', 'A'));
    expect(stepsOf(plan).map((text) => text.replace(/~\S+/, '~'))).toEqual([
      's1 temporary-rename 1 A after nothing',
      's2 rename 2 B after s1',
      expect.stringMatching(/^s3 rename 1 .+ after s1,s2$/),
    ]);
  });

  it('frees the name of a host that is deleted last', () => {
    const fleet = hosts.map((host) => ({ ...host, online: false }));
    const plan = planOf(
      [
        { id: 1, ensure: 'absent' },
        { id: 2, name: 'A' },
      ],
      {},
      fleet,
    );
    expect(stepsOf(plan)).toEqual([
      's1 temporary-rename 1 A after nothing',
      's2 rename 2 B after s1',
      's3 delete 1',
    ]);
  });

  it('never gives two hosts the same temporary name, or one that a host has or gets', () => {
    const ring = named('B', 'A');
    const [first] = planOf(ring).steps;
    const usual = first?.kind === 'temporary-rename' ? first.to : '';
    const other = [...hosts, { id: 6, name: usual.toUpperCase() }];
    const names = (plan: Plan) =>
      plan.steps.flatMap((step) => (step.kind === 'temporary-rename' ? [step.to.toLowerCase()] : []));
    for (const plan of [
      planOf(ring, {}, other),
      planOf([...ring, { id: 5, name: usual.toUpperCase() }]),
      planOf([...ring, { id: 3, name: 'D' }, { id: 4, name: 'C' }]),
    ]) {
      const found = names(plan);
      expect(found.length).toBeGreaterThan(0);
      expect(new Set(found).size).toBe(found.length);
    }
    expect(names(planOf(ring, {}, other))).not.toContain(usual.toLowerCase());
    expect(names(planOf([...ring, { id: 5, name: usual.toUpperCase() }]))).not.toContain(usual.toLowerCase());
  });
});

describe('the hosts that a plan covers', () => {
  const entries: readonly GivenEntry[] = named('B', 'X', 'Y', 'Z');
  const ids = (...of: readonly number[]) => new Set(of.map(hostId));

  it('are those whose installs in doubt it counts', () => {
    const request = { state: 'in-doubt', requestedAt: at } as const;
    const requests = new Map([1, 2].map((id) => [hostId(id), request]));
    const { pendingInstalls } = planOf(
      [1, 2].map((id) => ({ id, antivirus: true })),
      { target: ids(1), installs: { ...nothingRecalled, requests } },
      hosts.map((host) => ({ ...host, antivirus: 'missing' as const })),
    );
    expect(pendingInstalls.map((each) => each.hostId)).toEqual(['1']);
  });

  it.each<[what: string, options: Partial<PlanInputs>, covered: readonly number[]]>([
    ['are all of them without a choice', {}, [1, 2, 3, 4]],
    ['are a chosen host and those that it waits for', { target: ids(1) }, [1, 2]],
    ['are a chosen host and those that wait for it', { target: ids(2) }, [1, 2]],
    ['are the chosen one alone if it waits for none', { target: ids(3) }, [3]],
    ['are not an excluded host, or those that wait for it', { exclude: ids(2) }, [3, 4]],
    ['are the chosen ones but the excluded ones', { target: ids(1, 3), exclude: ids(1) }, [3]],
    ['are none if all chosen ones are excluded', { target: ids(1), exclude: ids(2) }, []],
    ['are none if the chosen one needs nothing', { target: ids(5) }, []],
  ])('%s', (_, options, covered) => {
    const plan = planOf(entries, options);
    expect(
      plan.steps
        .flatMap(hostIdsOf)
        .map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual(covered);
    expect(plan.summary.rename).toBe(covered.length);
  });
});
