import { describe, expect, it, test } from 'vitest';
import { allowance, type Limits } from '../../../../src/core/model/policy.ts';
import { acknowledge, type GuardInputs, guard } from '../../../../src/core/plan/guards/guard.ts';
import type { Breach, Plan } from '../../../../src/core/plan/types/plan.ts';
import { problem, warning } from '../../../../src/core/problem/problem.ts';

const count = (limit: number) => ({ kind: 'count', count: limit }) as const;
const share = (percent: number) => ({ kind: 'share', percent }) as const;
const limits: Limits = {
  delete: count(2),
  rename: count(5),
  move: count(5),
  antivirus: count(5),
  missing: share(20),
};
const place = { file: 'fleet.yaml', line: 3, col: 5 };

function given(parts: Partial<GuardInputs>) {
  return guard({
    limits,
    acks: {},
    summary: { delete: 0, rename: 0, move: 0, antivirus: 0 },
    fleetSize: 100,
    pinned: { entries: 0, missing: 0, absent: 0 },
    allowEmptyFleet: false,
    ...parts,
  });
}
const counts = (parts: Partial<GuardInputs['summary']>) => ({
  delete: 0,
  rename: 0,
  move: 0,
  antivirus: 0,
  ...parts,
});

describe('an allowance', () => {
  test.each([
    [count(0), 100, 0],
    [count(7), 3, 7],
    [share(10), 100, 10],
    [share(10), 109, 10],
    [share(10), 5, 1],
    [share(10), 0, 1],
    [share(0), 100, 0],
    [share(0), 0, 0],
    [share(0.57), 10_000, 57],
  ])('of %j of %i is %i', (limit, total, allowed) => expect(allowance(limit, total)).toBe(allowed));
});

describe('a limit of the fleet', () => {
  test.each(['delete', 'rename', 'move', 'antivirus'] as const)('limits the count of %s', (kind) => {
    const most = (limits[kind] as { readonly count: number }).count;
    expect(given({ summary: counts({ [kind]: most }) })).toMatchObject({ breaches: [], problems: [] });
    const { breaches, problems } = given({ summary: counts({ [kind]: most + 1 }) });
    expect(breaches).toEqual([{ limit: kind, count: most + 1, allowed: most, acknowledged: false }]);
    expect(problems).toMatchObject([{ code: 'limit-exceeded', severity: 'error', policy: `limits.${kind}` }]);
  });

  it('reports how many changes of which kind, and the exact approval', () => {
    const messages = (deletions: number) =>
      given({ limits: { ...limits, delete: count(0) }, summary: counts({ delete: deletions }) }).problems.map(
        ({ message, hint }) => [message, hint],
      );
    expect(messages(1)).toEqual([
      ['1 deletion is planned, but the limit is 0', expect.stringContaining('--ack delete=1')],
    ]);
    expect(messages(2)).toEqual([
      ['2 deletions are planned, but the limit is 0', expect.stringContaining('--ack delete=2')],
    ]);
    const installs = given({ summary: counts({ antivirus: 6 }) }).problems[0]?.message;
    expect(installs).toBe('6 anti-virus installs are planned, but the limit is 5');
  });

  it('is named with its place', () => {
    const { breaches, problems } = given({
      limitPlaces: { delete: place },
      summary: counts({ delete: 3, move: 6 }),
    });
    expect(breaches.map((each) => each.place)).toEqual([place, undefined]);
    expect(problems.map((each) => each.place)).toEqual([place, undefined]);
    expect(breaches[1]).not.toHaveProperty('place');
    expect(problems[1]).not.toHaveProperty('place');
  });

  it('is lifted only by the exact count of its own kind', () => {
    const three = { summary: counts({ delete: 3 }) };
    expect(given({ ...three, acks: { delete: 3 } })).toMatchObject({
      breaches: [{ limit: 'delete', count: 3, allowed: 2, acknowledged: true }],
      problems: [],
    });
    for (const acks of [{ delete: 2 }, { delete: 4 }, { rename: 3 }]) {
      const codes = given({ ...three, acks }).problems.map(({ code }) => code);
      expect(codes.toSorted()).toEqual(['ack-mismatch', 'limit-exceeded']);
    }
  });
});

describe('approval that is given later', () => {
  it('makes the plan applicable if it has the exact count', () => {
    const plan = acknowledge(planOf({}), { delete: 3 });
    expect(plan).toMatchObject({ acks: { delete: 3 }, problems: [], applicable: true });
    expect(plan.breaches).toEqual([{ ...breach, acknowledged: true }]);
  });

  it('leaves the plan refused if it has another count', () => {
    const plan = acknowledge(planOf({}), { delete: 4 });
    expect(codesOf(plan)).toEqual(['ack-mismatch', 'limit-exceeded']);
    expect(plan).toMatchObject({ applicable: false, breaches: [{ acknowledged: false }] });
  });

  const breach: Breach = { limit: 'delete', count: 3, allowed: 2, acknowledged: false };
  const refused = problem('limit-exceeded', '3 deletions are planned, but the limit is 2');
  const planOf = (parts: Partial<Plan>) =>
    ({
      acks: {},
      summary: counts({ delete: 3 }),
      breaches: [breach],
      problems: [refused],
      applicable: false,
      ...parts,
    }) as Plan;
  const codesOf = ({ problems }: Plan) => problems.map(({ code }) => code);

  it('replaces the approval of the same kind, and keeps the others', () => {
    const twice = planOf({
      acks: { delete: 4, move: 0 },
      problems: [refused, problem('ack-mismatch', 'given for 4')],
    });
    expect(acknowledge(twice, { delete: 3 })).toMatchObject({ acks: { delete: 3, move: 0 }, problems: [] });
  });

  it('keeps every other problem, and an error among them keeps the plan refused', () => {
    const warned = warning('policy-warning', 'given');
    expect(acknowledge(planOf({ problems: [refused, warned] }), { delete: 3 })).toMatchObject({
      problems: [warned],
      applicable: true,
    });
    const frozen = problem('frozen', 'given');
    expect(acknowledge(planOf({ problems: [warned, frozen] }), { delete: 3 })).toMatchObject({
      problems: [warned, frozen],
      applicable: false,
    });
  });

  it('lifts neither the limit of a group nor that of missing hosts', () => {
    const ofGroup: Breach = { ...breach, group: 'Berlin' };
    const ofMissing: Breach = { ...breach, limit: 'missing' };
    const plan = acknowledge(
      planOf({
        breaches: [ofGroup, ofMissing],
        problems: [problem('group-limit-exceeded', 'given'), problem('hosts-missing', 'given')],
      }),
      { delete: 3 },
    );
    expect(plan.breaches.map(({ acknowledged }) => acknowledged)).toEqual([false, false]);
    expect(codesOf(plan)).toEqual(['group-limit-exceeded', 'hosts-missing']);
    expect(plan.applicable).toBe(false);
  });

  it('asks again about a limit of the fleet that the approval does not cover', () => {
    const both = planOf({ breaches: [breach, { ...breach, limit: 'move', count: 9 }], problems: [] });
    const plan = acknowledge({ ...both, summary: { ...both.summary, move: 9 } }, { delete: 3 });
    expect(plan.problems).toMatchObject([{ code: 'limit-exceeded', policy: 'limits.move' }]);
  });
});
