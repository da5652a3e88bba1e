import type { Account } from '../../core/model/account.ts';
import type { Observed } from '../../core/model/observed.ts';
import type { RunSummary } from '../../core/plan/types/run-summary.ts';
import type { Result } from '../../core/problem/problem.ts';
import { changedByOthers, withoutIntended } from '../../run/apply/left-fleet.ts';
import type { State } from '../../run/state/interface/state.ts';

/** What a run did, and the fleet that it left. `before` is the read before its first call. */
interface LeftByRun extends Pick<RunSummary, 'before' | 'steps'> {
  readonly left: Observed;
}

/**
 * Saves the fleet after a run, to find drift. A change that others made before or during the run remains a change by
 * others, unless the run set the attribute or the file requests it.
 */
export async function saveBaseline(
  state: Pick<State, 'readFleet' | 'saveFleet'>,
  account: Account,
  { before, left, steps }: LeftByRun,
  intended: (() => Observed) | undefined,
): Promise<Result<null>> {
  const saved = await state.readFleet(account);
  const known = saved.ok && saved.value !== null ? changedByOthers(saved.value, left, steps) : [];
  // Hosts that enrolled since are missing from the saved fleet, and before the first run there is no saved fleet.
  const earlier =
    before === undefined ? known : changedByOthers({ observed: before, earlier: known }, left, steps);
  const isAny = intended !== undefined && earlier.length > 0;
  return state.saveFleet(account, left, isAny ? withoutIntended(earlier, left, intended()) : earlier);
}
