import type { SavedPlans } from '../../accounts/plans/open-plans.ts';
import { readRolloutPlan } from '../../accounts/rollouts/save-rollout.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { acknowledge } from '../../core/plan/guards/guard.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { ExitCode } from '../../run/apply/exit-code.ts';
import type { State } from '../../run/state/interface/state.ts';
import { mayContinue, type Rollout, rolloutOf } from '../../run/state/rollout/rollout.ts';
import { type ContinueRolloutFlags, continueRolloutCommand } from '../commands/rollout.ts';
import type { Context } from '../shell/context.ts';
import { reportWithoutRun } from './rollout-reporter.ts';

/** The clocks of two machines may differ this much: the one that planned, and the one that applies. */
const mostSkewMs = 60 * 60_000;

/**
 * The latest rollout that was started from these plans; null if there is none. Refused if its record has other plans: a
 * checksum in a record proves nothing.
 */
export async function earlierRollout(state: State, plans: SavedPlans): Promise<Result<Rollout | null>> {
  const { rollouts } = state;
  const { review, checksum } = plans.index;
  const ids = await rollouts.list();
  if (!ids.ok) return ids;
  for (const id of ids.value) {
    const log = await rollouts.read(id);
    if (!log.ok) return log;
    if (log.value === null) continue;
    const { head, events } = log.value;
    if (head.index_checksum === checksum && events.length > 0) {
      const rollout = rolloutOf(log.value);
      const same = await hasThesePlans(state, plans, rollout);
      return same.ok ? ok(rollout) : same;
    }
    // Older rollouts can't be of these plans.
    if (Date.parse(head.at) < Date.parse(review.created_at) - mostSkewMs) break;
  }
  return ok(null);
}

/** Approvals may have been added to the plans of the rollout, and nothing else. */
async function hasThesePlans(
  { rollouts }: State,
  plans: SavedPlans,
  { id, head }: Rollout,
): Promise<Result<null>> {
  for (const { account, plan_checksum: expected } of head.accounts) {
    const saved = await readRolloutPlan(rollouts, id, account, expected);
    if (!saved.ok) return saved;
    const reviewed = await plans.readPlan(account);
    if (!reviewed.ok || planChecksum(acknowledge(reviewed.value, saved.value.acks)) !== expected)
      return failed(
        problem('plan-file-checksum', `the record of rollout ${id} has another plan of "${account}"`, {
          hint: 'plan again, and apply the new plans; remove the record if you do not know who wrote it',
        }),
      );
  }
  return ok(null);
}

/** Goes on with an earlier rollout of the same plans. One that is done is only shown: nothing is applied twice. */
export async function continueEarlierRollout(
  context: Context,
  flags: ContinueRolloutFlags,
  rollout: Rollout,
): Promise<ExitCode> {
  const { id, state } = rollout;
  if (state === 'aborted' || state === 'undoing' || state === 'undone') {
    const what = state === 'aborted' ? 'was aborted' : 'was undone';
    return context.fail([
      problem('not-approved', `rollout ${id} of these plans ${what}, so they are not applied again`, {
        hint: 'plan again, and have the new plans reviewed',
      }),
    ]);
  }
  if (mayContinue(rollout)) {
    context.log(`Continuing rollout ${id} of these plans.`);
    return continueRolloutCommand(context, flags, id);
  }
  return reportWithoutRun(
    context,
    rollout,
    `Rollout ${id} has already applied these plans.`,
    flags.summaryOut,
  );
}
