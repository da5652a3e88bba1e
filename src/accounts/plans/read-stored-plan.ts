import { readPlan } from '../../core/plan/document/plan-document.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** How to replace a plan that can't be applied. */
export const checkAgain = 'check the account again, and approve its new plan';

/** A plan of the store. A plan that another version of Rampart stored is stale: its account gets a new one. */
export function readStoredPlan(text: string, id: string): Result<Plan> {
  const plan = readPlan(text, `plan ${id}`);
  if (plan.ok) return ok(plan.value);
  const why = plan.problems[0]?.message ?? 'it is not a plan';
  return failed(problem('stale-plan', `plan ${id} can't be read: ${why}`, { hint: checkAgain }));
}
