import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCase } from './any-case.ts';
import { differencesOf } from './differences.ts';
import { realPlan } from './real-plan.ts';

// `npm run differential` tries more of them.
it('the planner makes the same plan as the reference planner in random cases', () => {
  fc.assert(
    fc.property(anyCase, (given) => {
      expect(differencesOf(given)).toEqual([]);
    }),
    { numRuns: 700 },
  );
});

it('the random cases have plans of all kinds', () => {
  const plans = fc.sample(anyCase, { numRuns: 200, seed: 1 }).map(realPlan);
  const count = (holds: (plan: ReturnType<typeof realPlan>) => boolean) => plans.filter(holds).length;
  const kinds = ['rename', 'temporary-rename', 'move', 'antivirus', 'delete'];
  for (const kind of kinds)
    expect(
      count(({ steps }) => steps.some((step) => step.startsWith(kind))),
      kind,
    ).toBeGreaterThan(0);
  expect(count(({ problems }) => problems.every((each) => !each.startsWith('error')))).toBeGreaterThan(50);
});
