import { loadPlan } from '../planning/load-plan.ts';
import { printInFormat, type ReviewFlags } from '../planning/print-review.ts';
import type { Context } from '../shell/context.ts';
import { type ExitCode, exitCodes } from '../shell/exit-code.ts';

/** Shows a plan file again. */
export async function show(context: Context, file: string, flags: ReviewFlags): Promise<ExitCode> {
  const plan = await loadPlan(context, file);
  if (!plan.ok) return context.fail(plan.problems);
  await printInFormat(plan.value, context, flags);
  return exitCodes.success;
}
