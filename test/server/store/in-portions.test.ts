import { expect, it } from 'vitest';
import { inPortions } from '../../../src/server/store/in-portions.ts';

it.each([
  ['a portion that is not full', 5, [3, 2]],
  ['an empty portion after full ones', 6, [3, 3, 0]],
  ['the first one if it is empty', 0, [0]],
])('changes rows in portions until %s', async (_what, rows, changes) => {
  const left = [...changes];
  expect(await inPortions(3, async (size) => (size === 3 && left.shift()) || 0)).toBe(rows);
  expect(left).toEqual([]);
});
