import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Pace } from '../../../src/core/plan/types/forecast.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { givenDesired } from '../../given/desired.ts';
import { at, givenFleet } from '../../given/fleet.ts';

const account = { companyId: '1', service: 'emulator' };

/** One chain of this many renames, and the same number of independent renames. */
function chain(length: number, loose: number, options: { readonly pace?: Pace } = {}): Plan {
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

describe('the forecast', () => {
  it('is left out if no pace is known', () => expect(chain(3, 0).forecast).toBeUndefined());
  it('of a chain is bound by latency', () => {
    const pace = { rate: 50, latency: 0.1 };
    expect(chain(1000, 0, { pace }).forecast).toEqual({ pace, seconds: 100 });
  });
  it('of independent renames is bound by the rate', () => {
    expect(chain(1, 999, { pace: { rate: 50, latency: 0.1 } }).forecast?.seconds).toBeCloseTo(20.1, 1);
  });
});
