import type { GroupId, Observed } from '../../model/observed.ts';
import type { Diff, HostDifference } from '../difference/compare.ts';
import { pendingCounts } from '../intents/pending-installs.ts';
import type { CallCount, Summary } from '../types/plan.ts';
import type { Ordering } from './order.ts';

/** How many hosts change, by kind of change. */
export interface Tally {
  /** Includes blocked ones. */
  readonly renames: number;
  readonly moves: number;
  readonly movesByGroup: ReadonlyMap<GroupId, number>;
  readonly installs: number;
  readonly refreshes: number;
  readonly deletions: number;
}

export function tallyOf(changes: readonly HostDifference[], refreshes = 0): Tally {
  const movesByGroup = new Map<GroupId, number>();
  let renames = 0;
  let moves = 0;
  let installs = 0;
  let deletions = 0;
  for (const { rename, move, antivirus, delete: isToBeDeleted } of changes) {
    if (rename !== undefined) renames += 1;
    if (move !== undefined) {
      moves += 1;
      movesByGroup.set(move.id, (movesByGroup.get(move.id) ?? 0) + 1);
    }
    if (antivirus) installs += 1;
    if (isToBeDeleted) deletions += 1;
  }
  return { renames, moves, movesByGroup, installs, refreshes, deletions };
}

/**
 * Counts the plan's calls and the minimum that every plan needs: one call for each changed name, one more for each
 * cycle and for each host to be deleted whose name another host needs, and one for each batch. It does not need the
 * steps.
 */
export function countCalls(tally: Tally, ordering: Ordering, batchSize: number): CallCount {
  const batches = (hosts: number) => Math.ceil(hosts / batchSize);
  const names = tally.renames - ordering.blocked.size;
  const move = [...tally.movesByGroup.values()].reduce((sum, hosts) => sum + batches(hosts), 0);
  const antivirus = batches(tally.installs);
  const refresh = batches(tally.refreshes);
  const deletions = batches(tally.deletions);
  const batched = move + antivirus + refresh + deletions;
  return {
    planned: names + ordering.temporaryRenames + batched,
    minimum: names + ordering.cycles + ordering.ownersToDelete + batched,
    byAction: { rename: names + ordering.temporaryRenames, move, delete: deletions, antivirus, refresh },
  };
}

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
