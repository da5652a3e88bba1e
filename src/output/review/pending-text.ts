import type { PendingInstall } from '../../core/plan/types/plan.ts';
import type { TextStyle } from './color.ts';
import { pendingCount, pendingMeaning, pendingStates, requestWords } from './pending-words.ts';
import { type Cell, layOut, nameCell } from './table.ts';

/** Installs that no read shows yet, for a terminal: a block for those in doubt and one for those in progress. */
export function pendingBlocks(
  pending: readonly PendingInstall[],
  { color, columns }: TextStyle,
): readonly (readonly string[])[] {
  return pendingStates.flatMap((state) => {
    const installs = pending.filter((each) => each.state === state);
    if (installs.length === 0) return [];
    const tint = state === 'in-doubt' ? color.yellow : color.cyan;
    const rows = installs.map((each): readonly Cell[] => [
      { text: state === 'in-doubt' ? '?' : '…', paint: tint },
      nameCell(each.name, color),
      { text: each.hostId, paint: color.dim },
      { text: requestWords(each), paint: color.dim },
    ]);
    const title = `${color.bold(tint(pendingCount(installs.length, state)))}: ${pendingMeaning[state]}`;
    return [
      [title, ...layOut(rows, { columns: ['fixed', 'name', 'fixed', 'extra'], indent: 2, width: columns })],
    ];
  });
}
