import { describe, expect, it } from 'vitest';
import { commitStatus } from '../../../../src/server/notifications/rules/commit-status.ts';
import type { CommitPlans, PlanOutcome } from '../../../../src/server/plans/records/commit-plans.ts';

type Parts = Partial<Omit<CommitPlans, 'plan'>> & { readonly plan?: Partial<CommitPlans['plan']> };

function plansOf(outcome: PlanOutcome, { plan, ...parts }: Parts = {}): CommitPlans {
  return {
    outcome,
    plans: 1,
    changes: 1,
    irreversible: 0,
    ...parts,
    plan: {
      id: 'p-1',
      account: 'berlin',
      reason: null,
      required: { approvals: 1, notAuthor: false, numbers: [] },
      approvals: 0,
      ...plan,
    },
  };
}

describe('the state of a commit', () => {
  // The first of two decides, in either order.
  it.each([
    ['waiting', 'in_doubt', 'pending'],
    ['waiting', 'running', 'pending'],
    ['approved', 'in_doubt', 'running'],
    ['running', 'failed', 'running'],
    ['in_doubt', 'failed', 'error'],
    ['in_doubt', 'rejected', 'error'],
    ['failed', 'expired', 'failure'],
    ['stopped', 'stale', 'failure'],
    ['rejected', 'done', 'failure'],
    ['expired', 'done', 'error'],
    ['stale', 'done', 'error'],
    ['done', 'done', 'success'],
  ] as const)('with plans that are %s and %s is %s', (one, other, state) => {
    expect(commitStatus([plansOf(one), plansOf(other)])?.state).toBe(state);
    expect(commitStatus([plansOf(other), plansOf(one)])?.state).toBe(state);
  });

  it('is absent without plans', () => {
    expect(commitStatus([])).toBeUndefined();
  });
});

describe('the description of a commit', () => {
  const textOf = (...groups: readonly CommitPlans[]) => commitStatus(groups)?.description;

  it('begins with the worst of several plans, and counts each', () => {
    const groups = [
      plansOf('done', { plans: 3, changes: 1 }),
      plansOf('in_doubt', { changes: 2, irreversible: 1 }),
      plansOf('waiting', { plans: 2, changes: 0 }),
    ];
    expect(textOf(...groups)).toBe(
      '6 plans: 1 ended in doubt (2 changes (1 irreversible)); 2 waiting for approval (0 changes); 3 applied (1 change)',
    );
  });

  it.each([
    ['waiting', 'waiting for approval'],
    ['approved', 'approved'],
    ['running', 'in progress'],
    ['done', 'applied'],
    ['failed', 'failed'],
    ['stopped', 'stopped'],
    ['rejected', 'rejected'],
    ['expired', 'expired'],
    ['stale', 'stale'],
    ['in_doubt', 'ended in doubt'],
  ] as const)('has one word for plans that are %s: %s', (outcome, words) => {
    expect(textOf(plansOf(outcome, { plans: 2 }))).toBe(`2 plans: 2 ${words} (1 change)`);
  });

  it('has every exact number that the approval of one plan needs, only while it waits', () => {
    const numbers = (['delete', 'move'] as const).map((limit, at) => ({ limit, value: at + 2, allowed: 0 }));
    const plan = { required: { approvals: 3, notAuthor: false, numbers }, approvals: 1 };
    expect(textOf(plansOf('waiting', { plan }))).toBe(
      'berlin: waits for approval, 1 of 3 approvals, 1 change; approval needs delete=2 move=3',
    );
    expect(textOf(plansOf('approved', { plan }))).toBe('berlin: approved, 1 change');
  });

  it('has the reason of a stale plan, and of no other', () => {
    const plan = { reason: 'the fleet changed' };
    expect(textOf(plansOf('stale', { plan }))).toBe('berlin: stale, 1 change: the fleet changed');
    expect(textOf(plansOf('stale'))).toBe('berlin: stale, 1 change');
    expect(textOf(plansOf('waiting', { plan }))).toBe('berlin: waits for approval, 1 change');
  });

  it.each([
    [140, false],
    [141, true],
  ])('of %i characters is cut: %s', (length, isCut) => {
    const empty = textOf(plansOf('done', { plan: { account: '' } })) ?? '';
    const text = textOf(plansOf('done', { plan: { account: 'x'.repeat(length - empty.length) } }));
    expect([text?.length, text?.endsWith('…')]).toEqual([140, isCut]);
  });

  it('has no control character, line break or direction change of a host that the reason quotes', () => {
    const plan = { reason: 'the host "a\u202eb\r\n::error::c\u001b[31m" changed' };
    expect(textOf(plansOf('stale', { plan }))).toBe(
      'berlin: stale, 1 change: the host "a‹U+202E›b␍␊::error::c␛[31m" changed',
    );
  });

  it('never splits a character at its end', () => {
    for (let shift = 0; shift < 2; shift += 1) {
      const account = `${'x'.repeat(shift)}${'\u{1F4A3}'.repeat(100)}`;
      expect(textOf(plansOf('done', { plan: { account } }))?.isWellFormed()).toBe(true);
    }
  });
});

describe('the page of a commit', () => {
  it('is the plan if there is one, otherwise all that wait', () => {
    const one = plansOf('done', { plan: { id: 'p/1' } });
    expect(commitStatus([one])?.path).toBe('/changes/p%2F1');
    expect(commitStatus([one, plansOf('done')])?.path).toBe('/approvals');
    expect(commitStatus([{ ...one, plans: 2 }])?.path).toBe('/approvals');
  });
});
