import type { Observed } from '../../model/observed.ts';
import type { Diff } from '../difference/compare.ts';
import { pendingCounts } from '../intents/pending-installs.ts';
import type { Summary } from '../types/plan.ts';
import type { Ordering } from './order.ts';
import type { Tally } from './tally.ts';

/** The counts of a plan. The whole difference decides which hosts are unchanged, also for a part of the fleet. */
export function summarize(
  whole: Diff,
  { matching, managedCount, pendingInstalls }: Diff,
  { renames, moves, installs, refreshes, deletions }: Tally,
  { blocked, temporaryRenames }: Ordering,
  observed: Observed,
): Summary {
  return {
    rename: renames - blocked.size,
    temporaryRename: temporaryRenames,
    move: moves,
    antivirus: installs,
    refresh: refreshes,
    delete: deletions,
    ...pendingCounts(pendingInstalls),
    unchanged: whole.unchangedCount(),
    awaitingEnrollment: matching.awaiting.length,
    unmanaged: observed.count - managedCount,
  };
}
