import { describe, expect, it } from 'vitest';
import type { GroupId } from '../../../../src/core/model/observed.ts';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../../src/core/plan/types/plan.ts';
import { actionOf, type BatchMember, type Step, type StepId } from '../../../../src/core/plan/types/step.ts';
import { planUndo } from '../../../../src/core/plan/undo/undo.ts';
import { unsoundness } from '../../../../src/core/plan/verify/unsoundness.ts';
import { flawsOf } from '../../../../src/core/plan/verify/verify-plan.ts';
import { givenDesired, noLimits } from '../../../given/desired.ts';
import { at, givenFleet, hostId } from '../../../given/fleet.ts';

type Mutable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

/** A chain of three, a swap, a name of a deleted host, moves to two groups in batches of two, and installs. */
const fleet = givenFleet(
  [
    { id: 1, name: 'C1', group: 17 },
    { id: 2, name: 'C2', group: 17 },
    { id: 3, name: 'C3', group: 17 },
    { id: 4, name: 'S1', group: 18 },
    { id: 5, name: 'S2', group: 18 },
    { id: 6, name: 'OLD', group: 18 },
    { id: 7, name: 'NEW', group: 18, antivirus: 'missing' },
    { id: 8, name: 'KEPT', group: 18 },
    { id: 9, name: 'OTHER', group: 18 },
  ],
  { 17: 'Berlin', 18: 'Munich', 19: 'Kiosks' },
);
const sound = makePlan({
  desired: givenDesired(
    [
      { id: 1, name: 'C2', group: 'Kiosks' },
      { id: 2, name: 'C3', group: 'Kiosks' },
      { id: 3, name: 'C4', group: 'Kiosks' },
      { id: 4, name: 'S2' },
      { id: 5, name: 'S1' },
      { id: 6, ensure: 'absent' },
      { id: 7, name: 'OLD', antivirus: true },
      { id: 8, group: 'Berlin' },
    ],
    { ...noLimits, rename: { kind: 'count', count: 5 }, move: { kind: 'count', count: 4 } },
  ),
  observed: fleet,
  account: { companyId: '42', service: 'https://service.example' },
  now: at,
  batchSize: 2,
  acks: { rename: 6 },
});

/** What a planner with the bug would write: its own counts agree with its steps. */
function recounted(plan: Plan): Plan {
  const summary = { ...plan.summary, rename: 0, temporaryRename: 0, move: 0, antivirus: 0, delete: 0 };
  const byAction = { rename: 0, move: 0, delete: 0, antivirus: 0, refresh: 0 };
  for (const step of plan.steps) {
    const key = step.kind === 'temporary-rename' ? 'temporaryRename' : step.kind;
    summary[key] += 'hosts' in step ? step.hosts.length : 1;
    byAction[actionOf(step.kind)] += 1;
  }
  const calls = { planned: plan.steps.length, minimum: plan.steps.length, byAction };
  return { ...plan, summary, calls, undo: planUndo(plan.steps) };
}

type Steps = Mutable<Step>[];
const named = (steps: Steps, host: number, kind: 'rename' | 'temporary-rename' = 'rename') =>
  steps.find((step) => step.kind === kind && step.hostId === hostId(host)) as Mutable<
    Extract<Step, { readonly kind: 'rename' }>
  >;
const batch = (steps: Steps, kind: 'move' | 'delete' | 'antivirus') =>
  steps.find((step) => step.kind === kind) as Mutable<Extract<Step, { readonly kind: 'move' }>>;
const without = (steps: Steps, gone: Step) =>
  steps
    .filter((step) => step !== gone)
    .map((step) => ({ ...step, after: step.after.filter((id) => id !== gone.id) }));

/** Bugs in the order and in the names. Each takes the steps, and may return others. */
const inSteps: Readonly<Record<string, (steps: Steps) => Steps | void>> = {
  'does not wait for the host that has the name': (steps) => void (named(steps, 1).after = []),
  'waits for another host than the one that has the name': (steps) =>
    void (named(steps, 1).after = [named(steps, 3).id, named(steps, 4, 'temporary-rename').id]),
  'waits for the final rename of a cycle, and not for the temporary one': (steps) =>
    void (named(steps, 5).after = []),
  'does not wait for the temporary rename of the same host': (steps) => void (named(steps, 4).after = []),
  'runs a chain from its wrong end': (steps) => {
    const [first, third] = [named(steps, 1), named(steps, 3)];
    const second = named(steps, 2);
    third.after = [second.id];
    second.after = [first.id];
    first.after = [];
    return [first, second, third, ...steps.filter((step) => ![first, second, third].includes(step as never))];
  },
  'gives two hosts one name': (steps) => void (named(steps, 3).to = 'OLD'),
  'gives two hosts names that differ in case only': (steps) => void (named(steps, 3).to = 'old'),
  'gives a host the name of one that is only moved': (steps) => void (named(steps, 3).to = 'KEPT'),
  'breaks no cycle': (steps) => {
    const temporary = named(steps, 4, 'temporary-rename');
    named(steps, 4).from = 'S1';
    return without(steps, temporary);
  },
  'breaks a cycle twice': (steps) => {
    const five = named(steps, 5);
    const twin = {
      ...named(steps, 4, 'temporary-rename'),
      id: 's90' as StepId,
      hostId: five.hostId,
      from: 'S2',
      to: 'S1 ~tmp',
      finalName: 'S1',
      expects: five.expects,
    };
    five.from = 'S1 ~tmp';
    five.after = [...five.after, twin.id];
    return [twin, ...steps];
  },
  'gives a temporary name to a host in a chain': (steps) => {
    const two = named(steps, 2);
    const cut = {
      ...named(steps, 4, 'temporary-rename'),
      id: 's90' as StepId,
      hostId: two.hostId,
      from: 'C2',
      to: 'C3 ~tmp',
      finalName: 'C3',
      expects: two.expects,
    };
    two.from = 'C3 ~tmp';
    two.after = [...two.after, cut.id];
    return [cut, ...steps];
  },
  'uses one temporary name for two hosts': (steps) =>
    void (named(steps, 6, 'temporary-rename').to = named(steps, 4, 'temporary-rename').to),
  'announces another final name': (steps) =>
    void ((named(steps, 4, 'temporary-rename') as { finalName?: string }).finalName = 'S9'),
  'leaves a host with its temporary name': (steps) => without(steps, named(steps, 4)),
  'renames a host to the name that it has': (steps) => void (named(steps, 3).to = 'C3'),
  'renames from a name that the host does not have': (steps) => void (named(steps, 3).from = 'C9'),
  'renames another host than it expects': (steps) => void (named(steps, 3).hostId = hostId(9)),
  'expects another group of a host than another step': (steps) =>
    void (named(steps, 3).expects = { ...named(steps, 3).expects, groupId: '18' as GroupId }),
  'takes the name of a deleted host before its temporary rename': (steps) =>
    void (named(steps, 7).after = []),
  'gives no temporary name to a host that is deleted last': (steps) =>
    without(steps, named(steps, 6, 'temporary-rename')),
  'deletes before the renames': (steps) => {
    const deletion = batch(steps, 'delete');
    return [deletion, ...steps.filter((step) => step !== deletion)];
  },
  'deletes a host that it moves': (steps) =>
    void (batch(steps, 'delete').hosts = [
      ...batch(steps, 'delete').hosts,
      batch(steps, 'move').hosts[0] as BatchMember,
    ]),
  'moves a host to the group that it is in': (steps) =>
    void (batch(steps, 'move').groupId = batch(steps, 'move').hosts[0]?.expects.groupId as GroupId),
  'moves a host twice': (steps) => [
    ...steps.filter(({ kind }) => kind !== 'delete'),
    { ...batch(steps, 'move'), id: 's90' as StepId, groupId: '99' as GroupId },
    ...steps.filter(({ kind }) => kind === 'delete'),
  ],
  'sends batches that are too large': (steps) => {
    const moves = steps.filter((step) => step.kind === 'move' && step.groupId === '19') as Mutable<
      Extract<Step, { readonly kind: 'move' }>
    >[];
    const [first, second] = moves;
    if (first === undefined || second === undefined) throw new Error('one batch');
    first.hosts = [...first.hosts, ...second.hosts];
    return without(steps, second);
  },
  'sends more batches than needed': (steps) => {
    const full = steps.find((step) => step.kind === 'move' && step.hosts.length === 2) as Mutable<
      Extract<Step, { readonly kind: 'move' }>
    >;
    const [one, two] = full.hosts as [BatchMember, BatchMember];
    full.hosts = [one];
    const rest = { ...full, id: 's90' as StepId, hosts: [two] };
    return steps.flatMap((step) => (step === full ? [step, rest] : [step]));
  },
  'expects another host than it changes': (steps) =>
    void (batch(steps, 'antivirus').hosts = batch(steps, 'antivirus').hosts.map((each) => ({
      ...each,
      expects: { ...each.expects, hostId: hostId(9) },
    }))),
  'shows another name of a host than it expects': (steps) =>
    void (batch(steps, 'antivirus').hosts = batch(steps, 'antivirus').hosts.map((each) => ({
      ...each,
      name: 'X',
    }))),
  'expects another name of a host than another step': (steps) =>
    void (batch(steps, 'antivirus').hosts = batch(steps, 'antivirus').hosts.map((each) => ({
      ...each,
      name: 'X',
      expects: { ...each.expects, name: 'X' },
    }))),
  'renames a host that it deletes': (steps) => {
    const six = named(steps, 6, 'temporary-rename');
    return [
      ...steps.filter(({ kind }) => kind !== 'delete'),
      {
        ...named(steps, 3),
        id: 's90' as StepId,
        hostId: six.hostId,
        from: six.to,
        to: 'S9',
        expects: six.expects,
        after: [six.id],
      },
      ...steps.filter(({ kind }) => kind === 'delete'),
    ];
  },
  'installs on a host that it deletes': (steps) =>
    void (batch(steps, 'antivirus').hosts = batch(steps, 'delete').hosts),
  'refreshes a host that it deletes': (steps) => [
    ...steps.filter(({ kind }) => kind !== 'delete'),
    {
      ...batch(steps, 'antivirus'),
      kind: 'refresh',
      id: 's90' as StepId,
      hosts: batch(steps, 'delete').hosts,
    } as never,
    ...steps.filter(({ kind }) => kind === 'delete'),
  ],
  'gives a host that it keeps a temporary name for its deletion': (steps) =>
    void ((named(steps, 4, 'temporary-rename') as { why?: string }).why = 'deletion'),
  'gives a host that it deletes a temporary name for a cycle': (steps) =>
    void ((named(steps, 6, 'temporary-rename') as { why?: string }).why = 'cycle'),
  'repeats the id of a step': (steps) => void (named(steps, 1).id = named(steps, 3).id),
  'waits for a step that comes later': (steps) => void (named(steps, 3).after = [named(steps, 1).id]),
};

/** Bugs in the plan's description of its steps. */
const inMembers: Readonly<Record<string, (plan: Plan) => Partial<Plan>>> = {
  'counts fewer deletions': ({ summary }) => ({ summary: { ...summary, delete: 0 } }),
  'counts a temporary rename as a rename': ({ summary }) => ({
    summary: { ...summary, rename: summary.rename + 1, temporaryRename: summary.temporaryRename - 1 },
  }),
  'counts fewer calls': ({ calls }) => ({ calls: { ...calls, planned: calls.planned - 1 } }),
  'claims a lower minimum than it needs': ({ calls }) => ({
    calls: { ...calls, minimum: calls.minimum - 1 },
  }),
  'counts the calls of another action': ({ calls }) => ({
    calls: { ...calls, byAction: { ...calls.byAction, move: 0 } },
  }),
  'leaves out a limit': ({ limits }) => ({ limits: limits.filter(({ limit }) => limit !== 'delete') }),
  'does not list a limit that it exceeds': () => ({ breaches: [] }),
  'lists a limit that it does not exceed': ({ limits }) => ({
    limits: limits.map((each) => (each.limit === 'rename' ? { ...each, allowed: 6 } : each)),
  }),
  'lists fewer hosts over a limit': ({ breaches }) => ({
    breaches: breaches.map((each) => ({ ...each, count: each.count - 1 })),
  }),
  'takes another number for an approval': () => ({ acks: { rename: 5 } }),
  'takes no approval for one': () => ({ acks: {} }),
  'exceeds a limit of a group, and may be applied': ({ limits }) => ({
    limits: [...limits, { limit: 'move', groupId: '17' as GroupId, allowed: 2 }],
  }),
  'may be applied without an approval': ({ breaches }) => ({
    acks: {},
    breaches: breaches.map((each) => ({ ...each, acknowledged: false })),
  }),
  'may be applied in spite of an error': () => ({
    problems: [{ code: 'name-conflict', severity: 'error', message: 'no' }],
  }),
  'may not be applied although nothing is wrong': () => ({ applicable: false }),
  'leaves out the reversal of a step': ({ undo }) => ({ undo: undo.slice(1) }),
  'reverses a step twice': ({ undo }) => ({ undo: [...undo.slice(0, -1), ...undo.slice(0, 1)] }),
  'reverses from another name': ({ undo }) => ({
    undo: undo.map((each) => (each.kind === 'rename' ? { ...each, from: 'X' } : each)),
  }),
  'reverses the move of another host': ({ undo }) => ({
    undo: undo.map((each) => (each.kind === 'move' ? { ...each, from: '99' as GroupId } : each)),
  }),
  'reverses the move of a host that it does not touch': ({ undo }) => ({
    undo: undo.map((each) => (each.kind === 'move' ? { ...each, hostId: hostId(9) } : each)),
  }),
  'reverses to another name': ({ undo }) => ({
    undo: undo.map((each) => (each.kind === 'rename' ? { ...each, to: 'X' } : each)),
  }),
};

/** The plans of the planner with each bug. */
const spoiled: readonly (readonly [string, Plan])[] = [
  ...Object.entries(inSteps).map(([bug, change]) => {
    const steps = structuredClone(sound.steps) as Steps;
    const changed = change(steps) ?? steps;
    return [bug, recounted({ ...sound, steps: changed })] as const;
  }),
  ...Object.entries(inMembers).map(([bug, change]) => [bug, { ...sound, ...change(sound) }] as const),
];

describe('a planner with a bug is caught without the fleet', () => {
  it('whichever of more than thirty bugs it has', () => {
    expect(new Set(spoiled.map(([bug]) => bug)).size).toBeGreaterThan(30);
  });

  it.each(spoiled)('that %s', (_bug, plan) => {
    expect(flawsOf(plan)).not.toEqual([]);
  });

  it('with a message about what is wrong, and where', async () => {
    const told = spoiled.flatMap(([bug, plan]) => [
      `a planner that ${bug}`,
      ...flawsOf(plan).map(({ at: where, why }) => `  ${where}: ${why}`),
      '',
    ]);
    await expect(told.join('\n')).toMatchFileSnapshot('../../../golden/verify/flaws.txt');
  });
});

describe('a plan with deletions first', () => {
  const entries = [
    { id: 1, ensure: 'absent' as const },
    { id: 2, name: 'A' },
    { id: 3, name: 'b' },
  ];
  const observed = givenFleet([
    { id: 1, name: 'A' },
    { id: 2, name: 'B' },
    { id: 3, name: 'C' },
  ]);
  const first = makePlan({
    desired: givenDesired(entries, noLimits),
    observed,
    account: { companyId: '42', service: 'https://service.example' },
    now: at,
    deleteFirst: true,
  });

  it('proves itself if a step waits for another one through a third', () => {
    const [deletion, two, three] = structuredClone(first.steps) as [Step, Step, Step];
    const through = { ...first, steps: [deletion, two, { ...three, after: [two.id] }] };
    expect(flawsOf(through)).toEqual([]);
    const late = { ...three, after: [deletion.id] };
    expect(flawsOf({ ...first, steps: [deletion, { ...two, after: [deletion.id] }, late] })).toEqual([
      { at: 's3', why: 'it does not wait for s2, which frees the name "b"' },
    ]);
    const more = makePlan({
      desired: givenDesired([...entries, { id: 4, name: 'C' }, { id: 5, name: 'D' }], noLimits),
      observed: givenFleet([
        { id: 1, name: 'A' },
        { id: 2, name: 'B' },
        { id: 3, name: 'C' },
        { id: 4, name: 'D' },
        { id: 5, name: 'E' },
      ]),
      account: first.account,
      now: at,
      deleteFirst: true,
    });
    const last = more.steps.at(-1) as Step;
    expect(flawsOf(more)).toEqual([]);
    // The last of the chain waits for all others, and each of them for the one before it.
    const steps = more.steps.map((step) =>
      step === more.steps[3] ? { ...step, after: [more.steps[2]?.id as StepId] } : step,
    );
    expect(flawsOf({ ...more, steps })).toEqual([]);
    expect(last.after).toHaveLength(1);
  });

  it('is caught with a deletion at its end, or a rename that does not wait for it', () => {
    const [deletion, two, three] = structuredClone(first.steps) as [Step, Step, Step];
    expect(flawsOf({ ...first, steps: [{ ...two, after: [] }, three, deletion] })).toEqual([
      { at: deletion.id, why: 'deletions come first in this plan' },
      { at: two.id, why: `it does not wait for ${deletion.id}, which frees the name "A"` },
    ]);
  });

  it('is caught with a temporary name for a host that is deleted first', () => {
    const temporary = makePlan({
      desired: givenDesired(entries, noLimits),
      observed,
      account: first.account,
      now: at,
    });
    const steps = [
      ...temporary.steps.filter(({ kind }) => kind === 'delete'),
      ...temporary.steps.filter(({ kind }) => kind !== 'delete'),
    ];
    expect(flawsOf({ ...recounted({ ...temporary, steps }), deleteFirst: true })).toContainEqual({
      at: 's1',
      why: 'host 1 needs no temporary name: no other host gets its name',
    });
  });
});

describe('a plan for a list with odd names', () => {
  const planFor = (entries: Parameters<typeof givenDesired>[0], observed: ReturnType<typeof givenFleet>) =>
    makePlan({ desired: givenDesired(entries, noLimits), observed, account: sound.account, now: at });

  it('proves itself if only the case of a name changes', () => {
    const observed = givenFleet([{ id: 1, name: 'pc' }]);
    expect(flawsOf(planFor([{ id: 1, name: 'PC' }], observed), observed)).toEqual([]);
  });

  it('is caught if only the case of a name changes, and it breaks a cycle for that change', () => {
    const observed = givenFleet([{ id: 1, name: 'pc' }]);
    const plan = planFor([{ id: 1, name: 'PC' }], observed);
    const [rename] = plan.steps as [Extract<Step, { readonly kind: 'rename' }>];
    const temporary = {
      ...rename,
      kind: 'temporary-rename' as const,
      id: 's9' as StepId,
      why: 'cycle' as const,
      from: 'pc',
      to: 'PC ~tmp',
      finalName: 'PC',
    };
    const steps = [temporary, { ...rename, from: 'PC ~tmp', after: ['s9' as StepId] }];
    expect(flawsOf(recounted({ ...plan, steps }))).toEqual([
      { at: 's9', why: 'host 1 needs no temporary name: it is in no cycle, or its cycle is broken already' },
    ]);
  });

  it('proves itself if a host has no name', () => {
    const observed = givenFleet([{ id: 1, name: null }]);
    const plan = planFor([{ id: 1, name: 'PC' }], observed);
    expect(flawsOf(plan, observed)).toEqual([]);
    expect(plan.undo).toEqual([]);
  });
});

describe('a planner with a bug is caught by the fleet', () => {
  it('that gives a temporary name that a host has', () => {
    const taken = named(sound.steps as Steps, 4, 'temporary-rename').to;
    const other = givenFleet(
      [
        ...Array.from({ length: fleet.count }, (_, index) => fleet.at(index)).map(
          ({ id, name, groupId: group }) => ({ id, name, group }),
        ),
        { id: 10, name: taken, group: 18 },
      ],
      { 17: 'Berlin', 18: 'Munich', 19: 'Kiosks' },
    );
    expect(flawsOf(sound, other).map(({ why }) => why)).toContain(
      `host 10 has the name "${taken}" and keeps it`,
    );
  });

  it('that records a different group for a host', () => {
    const moved = givenFleet([{ id: 8, name: 'KEPT', group: 17 }], { 17: 'Berlin' });
    expect(flawsOf(sound, moved)).toContainEqual({
      at: 'observed',
      why: 'host 8 has another name or group in the fleet',
    });
    expect(unsoundness(sound, moved)[0]).toMatchObject({
      code: 'stale-plan',
      message: expect.stringMatching(/^host \d+ is not in the fleet$/),
    });
  });

  it('that gives a host the name of one that it does not know', () => {
    const steps = structuredClone(sound.steps) as Steps;
    named(steps, 3).to = 'Other';
    const bad = recounted({ ...sound, steps });
    expect(flawsOf(bad)).toEqual([]);
    expect(flawsOf(bad, fleet)).toEqual([
      { at: named(steps, 3).id, why: 'host 9 has the name "Other" and keeps it' },
    ]);
  });

  it('that records a different fleet', () => {
    const other = givenFleet([{ id: 1, name: 'Z', group: 17 }], { 17: 'Berlin' });
    const whys = flawsOf(sound, other).map(({ at: where, why }) => `${where}: ${why}`);
    expect(whys).toContain('observed: host 1 has another name or group in the fleet');
    expect(whys).toContain('observed: host 2 is not in the fleet');
  });
});

it('at most twenty flaws are listed', () => {
  const steps = sound.steps.map((step) => ({ ...step, id: 's1' as StepId, after: ['s9' as StepId] }));
  expect(flawsOf({ ...sound, steps })).toHaveLength(20);
});
