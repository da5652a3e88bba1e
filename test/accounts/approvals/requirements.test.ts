import { describe, expect, it } from 'vitest';
import { requirementsOf } from '../../../src/accounts/approvals/requirements.ts';
import { acknowledge } from '../../../src/core/plan/guards/guard.ts';
import { emptyPlan, refusedPlan, richPlan } from '../../given/report-plans.ts';

const policy = { approvals: 2, notAuthor: true, expiresAfterMs: 3_600_000 };

describe('what an approval of a plan requires', () => {
  it('requires no number of a plan within its limits', () => {
    const plan = richPlan();
    expect(requirementsOf(plan, policy)).toEqual({
      approvals: 2,
      notAuthor: true,
      numbers: [],
      expiresAt: new Date(Date.parse(plan.createdAt) + 3_600_000).toISOString(),
      blocked: null,
    });
  });
  it('requires at least one approval', () => {
    expect(requirementsOf(emptyPlan(), { ...policy, approvals: 0 }).approvals).toBe(1);
    expect(requirementsOf(emptyPlan(), { ...policy, approvals: 2.7 }).approvals).toBe(2);
  });
  it('names each limit that the plan exceeds, and the error that no approval lifts', () => {
    const required = requirementsOf(refusedPlan(), policy);
    expect(required.numbers).toEqual([{ limit: 'delete', value: 9, allowed: 4 }]);
    expect(required.blocked).toContain('HOST-30');
  });
  it('requires exactly the numbers that --ack would have to name', () => {
    const { problems, ...rest } = refusedPlan();
    const plan = { ...rest, problems: problems.filter(({ code }) => code === 'limit-exceeded') };
    const required = requirementsOf(plan, policy);
    expect(required.blocked).toBeNull();
    const acks = Object.fromEntries(required.numbers.map(({ limit, value }) => [limit, value]));
    expect(acknowledge(plan, acks).applicable).toBe(true);
    expect(acknowledge(plan, {}).applicable).toBe(false);
  });
  it('lifts neither the limit of a group nor missing hosts', () => {
    const plan = emptyPlan();
    const breach = { count: 3, allowed: 1, acknowledged: false };
    const held = requirementsOf(
      {
        ...plan,
        breaches: [
          { ...breach, limit: 'missing' },
          { ...breach, limit: 'delete', group: 'Berlin' },
        ],
      },
      policy,
    );
    expect(held.numbers).toEqual([]);
  });
  it('does not count closed windows and freezes as errors, because the run waits for them', () => {
    const plan = emptyPlan();
    const required = requirementsOf(
      {
        ...plan,
        problems: [
          { code: 'frozen', severity: 'error', message: 'the fleet is frozen' },
          { code: 'outside-window', severity: 'error', message: 'the window is closed' },
          { code: 'policy-warning', severity: 'warning', message: 'careful' },
        ],
      },
      policy,
    );
    expect(required).toMatchObject({ blocked: null });
  });
});
