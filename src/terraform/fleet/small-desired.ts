import { type Desired, generatedDesired } from '../../core/model/desired.ts';
import { type Entry } from '../../core/model/entry.ts';
import type { Problem } from '../../core/problem/problem.ts';

/** A desired state with one entry that is in no file. */
export function smallDesired(entry: Omit<Entry, 'index'>): Desired {
  return generatedDesired([{ index: 0, ...entry }], nowhere);
}

export const nowhere = { file: 'terraform', line: 1, col: 1 };

/** Places in a generated desired state are meaningless. */
export function withoutSourcePlace(placed: Problem): Problem {
  const { place: _, ...unplaced } = placed;
  const { related: __, ...rest } = unplaced;
  return rest;
}
