import type { Account } from '../../core/model/account.ts';
import type { Observed } from '../../core/model/observed.ts';
import type { Result } from '../../core/problem/result.ts';
import { changedByOthers, withoutIntended } from '../../run/apply/left-fleet.ts';
import type { StepSummary } from '../../run/apply/run-summary.ts';
import type { State } from '../../run/state/interface/state.ts';

/**
 * Saves the fleet after a run, to find drift. What others changed before the run stays a change by others, unless the run
 * set it, or the file asks for it.
 */
export async function saveBaseline(
  state: Pick<State, 'readFleet' | 'saveFleet'>,
  account: Account,
  left: Observed,
  steps: readonly StepSummary[],
  intended: (() => Observed) | undefined,
): Promise<Result<null>> {
  const saved = await state.readFleet(account);
  const earlier = saved.ok && saved.value !== null ? changedByOthers(saved.value, left, steps) : [];
  const isAny = intended !== undefined && earlier.length > 0;
  return state.saveFleet(account, left, isAny ? withoutIntended(earlier, left, intended()) : earlier);
}
