import { expect, it } from 'vitest';
import { inPortions } from '../../../src/server/store/in-portions.ts';

it.each([
  ['a portion that is not full', 5, [3, 2]],
  ['an empty portion after full ones', 6, [3, 3, 0]],
  ['the first one if it is empty', 0, [0]],
])('changes rows in portions until %s', async (_what, rows, expected) => {
  const changes: number[] = [];
  let left = rows;
  const sum = await inPortions(3, async (size) => {
    const changed = Math.min(size, left);
    left -= changed;
    changes.push(changed);
    return changed;
  });
  expect({ sum, changes }).toEqual({ sum: rows, changes: expected });
});
