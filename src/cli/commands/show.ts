import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-code.ts';
import { loadPlan } from '../load-plan.ts';
import { printInFormat, type ReviewFlags } from '../print-review.ts';

/** Shows a plan file again. */
export async function show(context: Context, file: string, flags: ReviewFlags): Promise<ExitCode> {
  const plan = await loadPlan(context, file);
  if (!plan.ok) return context.fail(plan.problems);
  printInFormat(plan.value, context, flags);
  return exitCodes.success;
}
