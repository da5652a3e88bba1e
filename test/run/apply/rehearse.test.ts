import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { rehearse, rehearseInDetail } from '../../../src/run/apply/rehearse.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { at, givenFleet } from '../../given/fleet.ts';

const hosts = Array.from({ length: 200 }, (_, index) => ({
  id: index + 1,
  name: `h${index}`,
  antivirus: 'missing' as const,
}));
const entries = hosts.map(({ id }, index) =>
  index < 5
    ? { id, ensure: 'absent' as const }
    : { id, name: `h${(index * 7) % 200 < 5 ? index + 500 : (index * 7) % 200}`, group: 'Berlin' },
);
const observed = givenFleet(hosts, { 10: 'Berlin' });
const plan = makePlan({
  desired: givenDesired(entries, noLimits),
  observed,
  account: { companyId: '1', service: 'x' },
  now: at,
});

describe('a rehearsal', () => {
  it('runs the plan smoothly in exactly the planned calls', async () => {
    expect(plan.applicable).toBe(true);
    const { withoutFaults } = await rehearse(plan, observed);
    expect(withoutFaults).toMatchObject({
      calls: plan.calls.planned,
      conflicts: 0,
      refusals: 0,
      converged: true,
    });
    expect(withoutFaults.minutes).toBeGreaterThan(0);
  });
  it('completes despite injected faults, with a few more calls', async () => {
    const { withFaults } = await rehearse(plan, observed, { seed: 7 });
    expect(withFaults.converged).toBe(true);
    expect(withFaults.calls).toBeGreaterThan(plan.calls.planned);
  });
  it('takes the time that the pace predicts', async () => {
    const { withoutFaults } = await rehearse(plan, observed, { pace: { rate: 2, latency: 0.1 } });
    expect(withoutFaults.minutes).toBeGreaterThan(plan.calls.planned / 2 / 60 - 0.1);
    expect(withoutFaults.converged).toBe(true);
  });
  it('counts the steps, and reports what happened to the hosts that got a 409', async () => {
    const { withoutFaults, withFaults } = await rehearseInDetail(plan, observed, { seed: 7 });
    const steps = plan.steps.length;
    expect(withoutFaults.steps).toEqual({ total: steps, done: steps, failed: 0, inDoubt: 0, skipped: 0 });
    expect(withoutFaults.resolved).toEqual({ already: 0, repeated: 0, failed: 0 });
    expect(withFaults.steps.done).toBe(steps);
    const alike = givenFleet([{ id: 1, name: 'desk' }]);
    const entries = [{ id: 1, name: 'DESK' }];
    const cased = makePlan({
      desired: givenDesired(entries, noLimits),
      observed: alike,
      account: { companyId: '1', service: 'x' },
      now: at,
    });
    const free = await rehearseInDetail(cased, alike);
    expect(free.withoutFaults.converged).toBe(true);
    const { resolved, conflicts } = free.withoutFaults;
    expect(resolved.already + resolved.repeated + resolved.failed).toBe(Math.min(1, conflicts));
  });
  it('stops at a safe point, and reports no success', async () => {
    const { withoutFaults } = await rehearseInDetail(plan, observed, { stop: AbortSignal.abort() });
    expect(withoutFaults).toMatchObject({ converged: false, calls: 0, steps: { done: 0 } });
  });
  it('has the same result every time', async () => {
    expect(await rehearse(plan, observed)).toEqual(await rehearse(plan, observed));
  });
});
