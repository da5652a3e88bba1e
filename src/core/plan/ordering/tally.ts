import type { GroupId } from '../../model/group.ts';
import type { HostDifference } from '../difference/compare.ts';

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
