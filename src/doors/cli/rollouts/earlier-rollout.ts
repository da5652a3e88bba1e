import type { ExitCode } from '../../../control/engine/exit-code.ts';
import type { PlansIndex } from '../../../control/plans/plans-index.ts';
import { problem } from '../../../core/problem/problem.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import type { State } from '../../../run/state/interface/state.ts';
import { hasAccountsLeft, type Rollout, rolloutOf } from '../../../run/state/rollout/rollout.ts';
import { type ResumeFlags, resumeRollout } from '../commands/rollout.ts';
import type { Context } from '../shell/context.ts';
import { exitForRollout } from './rollout-exit-code.ts';
import { createRolloutReporter } from './rollout-reporter.ts';

/** The clocks of two machines may differ this much: the one that planned, and the one that applies. */
const mostSkewMs = 60 * 60_000;

/** The latest roll-out that was started from these plans; null if there is none. */
export async function earlierRollout(
  { rollouts }: State,
  { review, checksum }: PlansIndex,
): Promise<Result<Rollout | null>> {
  const ids = await rollouts.list();
  if (!ids.ok) return ids;
  for (const id of ids.value) {
    const log = await rollouts.read(id);
    if (!log.ok) return log;
    if (log.value === null) continue;
    const { head, events } = log.value;
    if (head.index_checksum === checksum && events.length > 0) return ok(rolloutOf(log.value));
    // Older roll-outs can't be of these plans.
    if (Date.parse(head.at) < Date.parse(review.created_at) - mostSkewMs) break;
  }
  return ok(null);
}

/** Goes on with an earlier roll-out of the same plans. One that is done is only shown: nothing is applied twice. */
export async function continueRollout(
  context: Context,
  flags: ResumeFlags,
  rollout: Rollout,
): Promise<ExitCode> {
  const { id, state, head } = rollout;
  if (state === 'aborted' || state === 'undoing' || state === 'undone') {
    const what = state === 'aborted' ? 'was aborted' : 'was undone';
    return context.fail([
      problem('not-approved', `roll-out ${id} of these plans ${what}, so they are not applied again`, {
        hint: 'plan again, and have the new plans reviewed',
      }),
    ]);
  }
  if (hasAccountsLeft(rollout)) {
    context.log(`Continuing roll-out ${id} of these plans.`);
    return resumeRollout(context, flags, id);
  }
  const exitCode = exitForRollout(rollout);
  context.log(`Roll-out ${id} has already applied these plans.`);
  const reporter = createRolloutReporter(context, head, flags.summaryOut);
  if (context.settings.format === 'json') reporter.start();
  await reporter.end(rollout, exitCode);
  return exitCode;
}
