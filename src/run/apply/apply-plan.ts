import type { RunSummary } from '../../core/plan/types/run-summary.ts';
import { unsoundness } from '../../core/plan/verify/unsoundness.ts';
import { applyStaged, type Canary } from './apply-staged.ts';
import { type ApplyInputs, applySteps, unapplied } from './apply-steps.ts';

export type { ApplyInputs } from './apply-steps.ts';

/**
 * Applies a plan, first to some hosts if there is a canary. The writes of all plans go through this function, and a
 * plan that does not prove itself is refused before the first call, whoever wrote it.
 */
export async function applyPlan(inputs: ApplyInputs, canary?: Canary): Promise<RunSummary> {
  const problems = unsoundness(inputs.plan);
  if (problems.length === 0) return canary === undefined ? applySteps(inputs) : applyStaged(inputs, canary);
  return unapplied(inputs, problems);
}
