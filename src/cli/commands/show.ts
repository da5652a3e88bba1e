import { isPlansPath, openPlans } from '../../accounts/plans/plans-index.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { printPlans } from '../planning/print-plans.ts';
import { loadPlan, printInFormat, type ReviewFlags } from '../planning/print-review.ts';
import type { ServerFlag } from '../server/open-client.ts';
import type { Context } from '../shell/context.ts';

/** Shows a plan file again, the plans of several accounts in a folder, or a plan of a server. */
export async function show(
  context: Context,
  flags: ReviewFlags & ServerFlag,
  file: string,
): Promise<ExitCode> {
  if (flags.server !== undefined)
    return (await import('../server/show-on-server.ts')).showOnServer(context, flags, file);
  if (await isPlansPath(context.path(file))) return showPlans(context, file, flags);
  const plan = await loadPlan(context, file);
  if (!plan.ok) return context.fail(plan.problems);
  await printInFormat(plan.value, context, flags);
  return exitCodes.success;
}

/** Checks every plan file against the index first: the review must be that of the plans in the folder. */
async function showPlans(context: Context, folder: string, flags: ReviewFlags): Promise<ExitCode> {
  const plans = await openPlans(context.path(folder), folder);
  if (!plans.ok) return context.fail(plans.problems);
  const { index, checkFiles } = plans.value;
  const changed = await checkFiles();
  if (!changed.ok) return context.fail(changed.problems);
  await printPlans(index.review, context, flags, () => index);
  return exitCodes.success;
}
