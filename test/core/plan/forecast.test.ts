import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Pace } from '../../../src/core/plan/types/forecast.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { givenDesired } from '../../given/desired.ts';
import { at, givenFleet } from '../../given/fleet.ts';

const account = { companyId: '1', service: 'emulator' };

/** One chain of so many renames, and so many renames of their own. */
function chain(
  length: number,
  loose: number,
  options: { readonly pace?: Pace; readonly fast?: boolean } = {},
): Plan {
  const hosts = Array.from({ length: length + loose }, (_, index) => ({ id: index + 1, name: `h${index}` }));
  const entries = hosts.map(({ id }, index) => ({
    id,
    name: index < length ? `h${index + 1}` : `fresh-${index}`,
  }));
  const target = entries.map((entry, index) => (index === length - 1 ? { ...entry, name: 'end' } : entry));
  return makePlan({
    desired: givenDesired(target),
    observed: givenFleet(hosts),
    account,
    now: at,
    ...options,
  });
}

describe('forecasts', () => {
  it('are left out if no pace is known', () => expect(chain(3, 0).forecast).toBeUndefined());
  it('of a chain are bound by latency', () => {
    const { forecast } = chain(1000, 0, { pace: { rate: 50, latency: 0.1 } });
    expect(forecast?.fewestCalls).toEqual({ calls: 1000, seconds: 100 });
    expect(forecast?.fast.calls).toBeLessThanOrEqual(1020);
    expect(forecast?.fast.seconds).toBeLessThan(30);
  });
  it('of independent renames are bound by the rate', () => {
    expect(chain(1, 999, { pace: { rate: 50, latency: 0.1 } }).forecast?.fewestCalls.seconds).toBeCloseTo(
      20.1,
      1,
    );
  });
});

describe('fast', () => {
  const paces: readonly Pace[] = [
    { rate: 50, latency: 0.1 },
    { rate: 50, latency: 0.4 },
    { rate: 20, latency: 1 },
  ];
  it.each(paces)('at %o comes within a tenth of calls by rate, for at most 2 % more calls', (pace) => {
    const plan = chain(8000, 2000, { pace, fast: true });
    expect(plan.calls.planned).toBeLessThanOrEqual(10_200);
    expect(plan.calls.minimum).toBe(10_000);
    expect(plan.forecast?.fast.seconds).toBeLessThan(1.1 * (10_000 / pace.rate));
    expect(plan.forecast?.fewestCalls.seconds).toBeGreaterThan(1.5 * (10_000 / pace.rate));
    expect(plan.applicable).toBe(true);
  });
  it('changes nothing if no chain is long', () => {
    const pace = { rate: 50, latency: 0.1 };
    expect(chain(5, 1000, { pace, fast: true }).steps).toEqual(chain(5, 1000, { pace }).steps);
  });
});
