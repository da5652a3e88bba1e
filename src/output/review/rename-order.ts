import type { RenameComponent, RenameRow } from './rename-rows.ts';

export interface OrderedRename {
  readonly row: RenameRow;
  readonly component: RenameComponent;
  /** The number of the component among those of its shape, or of the row in the component; both from 1. */
  readonly number: number;
  readonly place: number;
}

/** Components of several hosts first, each rename with its component and its position in it; then the rest. */
export function orderedRenames(components: readonly RenameComponent[]): readonly OrderedRename[] {
  const joined = components.filter((each) => each.shape !== 'single');
  const single = components.filter((each) => each.shape === 'single');
  const numbers = { chain: 0, swap: 0, cycle: 0, single: 0 };
  return [...joined, ...single].flatMap((component) => {
    numbers[component.shape] += 1;
    const number = numbers[component.shape];
    return component.rows.map((row, index) => ({ row, component, number, place: index + 1 }));
  });
}

/** `swap 1: 2 of 2`; empty for a rename on its own. */
export function orderWords({ component: { shape, rows }, number, place }: OrderedRename): string {
  return shape === 'single' ? '' : `${shape} ${number}: ${place} of ${rows.length}`;
}
