import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { OperatorPolicy } from '../../../../src/core/model/operator-policy.ts';
import { parseChangeWindow } from '../../../../src/core/model/parse-change-window.ts';
import { allowance, type Limit, type Limits } from '../../../../src/core/model/policy.ts';
import { operatorProblems, underOperator } from '../../../../src/core/plan/guards/operator.ts';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import { givenDesired } from '../../../given/desired.ts';
import { at, givenFleet } from '../../../given/fleet.ts';

const place = { file: 'rampart.config.yaml', line: 4, col: 3 };
const hosts = Array.from({ length: 10 }, (_, index) => ({ id: index + 1, name: `H-${index + 1}` }));
const fleet = givenFleet(hosts, {});
const count = (value: number): Limit => ({ kind: 'count', count: value });
const share = (percent: number): Limit => ({ kind: 'share', percent });

function operator(limits: Partial<Limits>, windows: OperatorPolicy['windows'] = []): OperatorPolicy {
  return { limits, windows, place };
}

function hours(source: string) {
  const parsed = parseChangeWindow(source);
  if (!parsed.ok) throw new Error(source);
  return parsed.window;
}

/** A plan that deletes four of ten hosts. */
function planned(own: Partial<Limits>, policy?: OperatorPolicy, deleted = 4, acks = {}) {
  const desired = givenDesired(
    hosts.slice(0, deleted).map(({ id }) => ({ id, ensure: 'absent' as const })),
    own,
  );
  return makePlan({
    desired: policy === undefined ? desired : underOperator(desired, policy, fleet.count),
    observed: fleet,
    account: { companyId: '1', service: 'emulator' },
    now: at,
    acks,
  });
}

const deletions = (plan: ReturnType<typeof planned>) =>
  plan.problems
    .filter(({ code }) => code === 'limit-exceeded')
    .map(({ message, place: where }) => [message, where]);

describe('the stricter limit applies', () => {
  it("an operator can't raise the default limit of a desired state without limits", () => {
    expect(deletions(planned({}, operator({ delete: share(100) })))).toHaveLength(1);
  });

  it('an exact approval lifts it like any other limit', () => {
    const plan = planned({ delete: share(100) }, operator({ delete: count(2) }), 4, { delete: 4 });
    expect(plan.applicable).toBe(true);
    expect(plan.breaches).toMatchObject([{ limit: 'delete', allowed: 2, acknowledged: true, place }]);
  });

  test('no desired state raises the limit of an operator', () => {
    const anyLimit = fc.oneof(fc.nat(20).map(count), fc.nat(100).map(share));
    fc.assert(
      fc.property(anyLimit, anyLimit, fc.integer({ min: 0, max: 10 }), (own, theirs, deleted) => {
        const plan = planned({ delete: own, missing: share(100) }, operator({ delete: theirs }), deleted);
        if (plan.applicable) {
          expect(deleted).toBeLessThanOrEqual(allowance(theirs, 10));
          expect(deleted).toBeLessThanOrEqual(allowance(own, 10));
        } else expect(deleted).toBeGreaterThan(Math.min(allowance(theirs, 10), allowance(own, 10)));
      }),
      { numRuns: 100 },
    );
  });
});

const nights = { name: 'nights', only: [hours('Mon-Sun 20:00-06:00 UTC')], place };
const byDay = '2026-11-20T12:00:00Z';
const byNight = '2026-11-20T22:00:00Z';

describe("the operator's windows", () => {
  it('close a plan although the desired state has no window, and are stored in the plan', () => {
    const desired = underOperator(givenDesired([{ id: 1, name: 'X' }]), operator({}, [nights]), 10);
    const plan = makePlan({
      desired,
      observed: fleet,
      account: { companyId: '1', service: 'emulator' },
      now: byDay,
    });
    expect(plan.applicable).toBe(false);
    expect(plan.problems).toContainEqual(
      expect.objectContaining({ code: 'outside-window', place, hint: expect.stringContaining('opens') }),
    );
    expect(plan.constraints?.windows).toMatchObject([{ name: 'nights' }]);
  });
});

describe('a saved plan that was made without the policy of the operator', () => {
  const saved = planned({ delete: share(100) });

  it("is refused above the account's limit, at the place of that limit", () => {
    expect(saved.applicable).toBe(true);
    expect(operatorProblems(saved, operator({ delete: count(2) }), at)).toMatchObject([
      { code: 'limit-exceeded', message: '4 deletions are planned, but the limit is 2', place },
    ]);
    expect(operatorProblems(saved, operator({ delete: count(4), rename: count(0) }), at)).toEqual([]);
  });

  it('is accepted above a limit only with the exact approval', () => {
    const policy = operator({ delete: count(2) });
    expect(operatorProblems({ ...saved, acks: { delete: 4 } }, policy, at)).toEqual([]);
    expect(operatorProblems({ ...saved, acks: { delete: 5 } }, policy, at)).toHaveLength(1);
  });

  it('is refused outside a window for a kind of change that it contains', () => {
    expect(operatorProblems(saved, operator({}, [nights]), byDay)).toMatchObject([
      { code: 'outside-window' },
    ]);
    expect(operatorProblems(saved, operator({}, [nights]), byNight)).toEqual([]);
    expect(operatorProblems(saved, operator({}, [{ ...nights, kinds: ['rename'] }]), byDay)).toEqual([]);
  });
});
