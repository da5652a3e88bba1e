import type { Rehearsal } from '../../core/plan/types/forecast.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import { assess } from '../../run/apply/assess.ts';
import { type RehearseOptions, rehearse } from '../../run/apply/rehearse.ts';
import { type LiveOrSavedOptions, readLiveOrSaved } from '../setup/live-or-saved.ts';
import type { Context } from '../shell/context.ts';

/** Rehearses a plan on the live fleet, or on a saved one, unless the plan is stale there. */
export async function rehearsalOf(
  context: Context,
  plan: Plan,
  { saved, pace }: Pick<RehearseOptions, 'pace'> & Pick<LiveOrSavedOptions, 'saved'>,
): Promise<Result<Rehearsal>> {
  const antivirus = plan.steps.some((step) => step.kind === 'antivirus');
  const fleet = await readLiveOrSaved(context, { saved, antivirus });
  if (!fleet.ok) return fleet;
  const { observed } = fleet.value;
  const { stale } = assess(plan, observed);
  return stale.length > 0 ? failed(...stale) : ok(await rehearse(plan, observed, { pace }), fleet.problems);
}
