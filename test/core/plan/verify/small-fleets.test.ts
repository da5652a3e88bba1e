import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flawsOf } from '../../../../src/core/plan/verify/verify-plan.ts';
import { hasErrors } from '../../../../src/core/problem/problem.ts';
import { givenGroups, reorganizations } from '../../../given/arbitrary-fleet.ts';
import { givenFleet } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';
import { fewestRenames, fleetOf, planOf, smallFleets } from '../../../given/small-fleets.ts';

// `node test/reliability/verify-soak.ts` tries six hosts with five names, and a million random fleets.
describe('a plan proves itself', () => {
  it.each([false, true])(
    'in every fleet of four hosts and five names, deletions first: %s',
    (deleteFirst) => {
      let count = 0;
      for (const wishes of smallFleets(4, 5)) {
        expect(flawsOf(planOf(wishes, 5, deleteFirst), fleetOf(4, 5)), wishes.join()).toEqual([]);
        count += 1;
      }
      expect(count).toBe(1_256);
    },
  );

  it('in random fleets, with moves, installs, limits and batches of two', () => {
    fc.assert(
      fc.property(
        reorganizations,
        fc.record({ deleteFirst: fc.boolean(), skipBlocked: fc.boolean(), isLimited: fc.boolean() }),
        ({ hosts, entries }, { isLimited, ...options }) => {
          const plan = givenPlan({
            hosts,
            entries,
            groups: givenGroups,
            options: { ...options, batchSize: 2, ...(isLimited ? { acks: { rename: 3, delete: 1 } } : {}) },
          });
          expect(flawsOf(plan, givenFleet(hosts, givenGroups))).toEqual([]);
        },
      ),
      { numRuns: 250 },
    );
  });
});

describe('the number of renames that the verifier accepts', () => {
  it('is the minimum over all orders of calls, in every fleet of four hosts and four names', () => {
    let tried = 0;
    for (const wishes of smallFleets(4, 4)) {
      const plan = planOf(wishes, 4);
      if (hasErrors(plan.problems)) continue;
      expect(plan.calls.byAction.rename, wishes.join()).toBe(fewestRenames(wishes, 4));
      tried += 1;
    }
    expect(tried).toBeGreaterThan(200);
  });
});
