import { indexFileOf, isPlansPath, openPlans } from '../../accounts/plans/plans-index.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import { printResult } from '../listing/print-listing.ts';
import { loadPlan } from '../planning/print-review.ts';
import type { Context } from '../shell/context.ts';
import { type PlanOnDisk, type SignFlags, signPlanFile } from '../trust/plan-signatures.ts';

/** Signs a saved plan, or the saved plans of several accounts, after a review. */
export async function sign(context: Context, flags: SignFlags, path: string): Promise<ExitCode> {
  const plan = (await isPlansPath(context.path(path)))
    ? await indexOnDisk(context, path)
    : await planOnDisk(context, path);
  const signed = plan.ok ? await signPlanFile(context, plan.value, flags) : plan;
  if (!signed.ok) return context.fail(signed.problems);
  return printResult(context, { signature: signed.value }, `Signed the plan: ${signed.value}\n`);
}

async function planOnDisk(context: Context, file: string): Promise<Result<PlanOnDisk>> {
  const plan = await loadPlan(context, file);
  if (!plan.ok) return plan;
  const { account } = plan.value;
  return ok({ file, checksum: planChecksum(plan.value), account });
}

async function indexOnDisk(context: Context, path: string): Promise<Result<PlanOnDisk>> {
  const plans = await openPlans(context.path(path), path);
  if (!plans.ok) return plans;
  const whole = await plans.value.checkFiles();
  if (!whole.ok) return whole;
  return ok({ file: indexFileOf(path), checksum: plans.value.index.checksum, account: null });
}
