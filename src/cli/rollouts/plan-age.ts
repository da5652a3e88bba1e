import type { Plan } from '../../core/plan/types/plan.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { mostSkewMs } from '../../run/signature/check-signature.ts';

/**
 * Why a saved plan is too old for `--max-plan-age`, in milliseconds; undefined if it is not. A plan from further in the
 * future than clocks differ would never be too old.
 */
export function planAgeProblem(
  { createdAt }: Plan,
  now: number,
  mostMs: number | undefined,
): Problem | undefined {
  const age = now - Date.parse(createdAt);
  if (mostMs === undefined || (age <= mostMs && age >= -mostSkewMs)) return undefined;
  const when = age < 0 ? 'in the future' : 'longer ago than --max-plan-age allows';
  return problem('stale-plan', `the plan was made at ${createdAt}, which is ${when}`, { hint: 'plan again' });
}
