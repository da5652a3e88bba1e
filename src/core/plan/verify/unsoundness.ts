import type { Observed } from '../../model/observed.ts';
import { type Problem, problem } from '../../problem/problem.ts';
import type { Plan } from '../types/plan.ts';
import { flawsOf } from './verify-plan.ts';

/** The flaws of a plan as problems. A plan whose record of the fleet is no longer true is stale. */
export function unsoundness(plan: Plan, fleet?: Observed): readonly Problem[] {
  return flawsOf(plan, fleet).map(({ at, why }) =>
    at === 'observed'
      ? problem('stale-plan', why, { hint: 'make the plan again' })
      : problem('plan-unsound', `the plan is unsound at ${at}: ${why}`, {
          hint: 'never apply it: make the plan again, and report this if Rampart made it',
        }),
  );
}
