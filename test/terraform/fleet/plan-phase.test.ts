import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { createPlanPhase } from '../../../src/terraform/fleet/plan-phase.ts';

function given() {
  const clock = createVirtualClock(0, { auto: true });
  const { signal } = new AbortController();
  const phase = createPlanPhase(clock);
  return { clock, phase, isPlan: () => phase.isPlan(signal) };
}

describe('a read', () => {
  it('belongs to a plan if a resource was planned before', async () => {
    const { phase, isPlan } = given();
    phase.planning();
    expect(await isPlan()).toBe(true);
  });

  it('waits for the plan of the first resource, whose own read returns at once', async () => {
    const { clock, phase, isPlan } = given();
    const [first, second] = [isPlan(), isPlan()];
    expect(await first).toBe(false);
    expect(clock.now()).toBe(0);
    phase.planning();
    expect(await second).toBe(true);
  });

  it('belongs to a refresh if no resource is planned soon, and later reads do not wait', async () => {
    const { clock, isPlan } = given();
    expect(await Promise.all([isPlan(), isPlan(), isPlan()])).toEqual([false, false, false]);
    const then = clock.now();
    expect(then).toBeLessThanOrEqual(300);
    expect(await isPlan()).toBe(false);
    expect(clock.now()).toBe(then);
  });

  it('does not wait after an interrupt', async () => {
    const { clock, phase, isPlan } = given();
    await isPlan();
    expect(await phase.isPlan(AbortSignal.abort())).toBe(false);
    expect(clock.now()).toBe(0);
  });
});
