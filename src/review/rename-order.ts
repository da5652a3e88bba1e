import type { RenameComponent, RenameRow } from './rename-rows.ts';

export interface OrderedRename {
  readonly row: RenameRow;
  /** `swap 1: 2 of 2`; empty for a rename on its own. */
  readonly order: string;
}

/** Components of several hosts first, each rename with its component and its place in it; then the rest. */
export function orderedRenames(components: readonly RenameComponent[]): readonly OrderedRename[] {
  const joined = components.filter((each) => each.shape !== 'single');
  const single = components.filter((each) => each.shape === 'single');
  const numbers = { chain: 0, swap: 0, cycle: 0, single: 0 };
  return [...joined, ...single].flatMap(({ shape, rows }) => {
    numbers[shape] += 1;
    const name = `${shape} ${numbers[shape]}`;
    return rows.map((row, index) => ({
      row,
      order: shape === 'single' ? '' : `${name}: ${index + 1} of ${rows.length}`,
    }));
  });
}
