import type { Account } from '../../core/model/account.ts';
import type { Observed } from '../../core/model/observed.ts';
import { changedByOthers } from '../../run/apply/left-fleet.ts';
import type { StepSummary } from '../../run/apply/run-summary.ts';
import type { State } from '../../run/state/interface/state.ts';

/**
 * Saves the fleet after a run, to find drift. What others changed before the run stays a change by others, unless the run
 * set it.
 */
export async function saveBaseline(
  state: Pick<State, 'readFleet' | 'saveFleet'>,
  account: Account,
  left: Observed,
  steps: readonly StepSummary[],
): Promise<void> {
  const saved = await state.readFleet(account);
  const earlier = saved.ok && saved.value !== null ? changedByOthers(saved.value, left, steps) : [];
  await state.saveFleet(account, left, earlier);
}
