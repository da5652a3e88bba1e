import { toPlanDocument } from '../../plan/plan-document.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { loadPlan } from '../load-plan.ts';
import { printReview } from '../print-review.ts';

/** Shows a plan file again. */
export async function show(context: Context, file: string): Promise<ExitCode> {
  const plan = await loadPlan(context, file);
  if (!plan.ok) return context.fail(plan.problems);
  if (context.settings.format === 'json') context.printJson(toPlanDocument(plan.value));
  else printReview(plan.value, context);
  return exitCodes.success;
}
