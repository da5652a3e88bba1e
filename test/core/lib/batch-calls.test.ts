import { describe, expect, it } from 'vitest';
import { batchCalls } from '../../../src/core/lib/batch-calls.ts';

/** Doubles numbers, keeps each batch, and refuses batches with a wrong number. */
function doubling(wrong: readonly number[] = [], gather?: () => Promise<void>) {
  const batches: (readonly number[])[] = [];
  const double = batchCalls(async (numbers: readonly number[]) => {
    batches.push(numbers);
    if (numbers.some((each) => wrong.includes(each))) throw new Error('wrong');
    return numbers.map((each) => each * 2);
  }, gather);
  return { batches, double };
}

describe('calls that are made in batches', () => {
  it('answer questions that arrive together with one call, in their order', async () => {
    const { batches, double } = doubling();
    expect(await Promise.all([3, 1, 2, 3].map(double))).toEqual([6, 2, 4, 6]);
    expect(batches).toEqual([[3, 1, 2, 3]]);
    expect(await double(5)).toBe(10);
    expect(batches).toEqual([[3, 1, 2, 3], [5]]);
  });

  it('collect the questions that arrive during a call, and ask at most 100 at once', async () => {
    const { batches, double } = doubling();
    const first = double(0);
    await Promise.resolve();
    const rest = Array.from({ length: 150 }, (_, index) => double(index));
    expect(await first).toBe(0);
    expect(await Promise.all(rest)).toEqual(Array.from({ length: 150 }, (_, index) => index * 2));
    expect(batches.map(({ length }) => length)).toEqual([1, 100, 50]);
  });

  it('wait for more questions as long as the caller allows', async () => {
    let end = () => {};
    const gather = () => new Promise<void>((resolve) => (end = resolve));
    const { batches, double } = doubling([], gather);
    const first = double(1);
    await Promise.resolve();
    const second = double(2);
    expect(batches).toEqual([]);
    end();
    expect([await first, await second, batches]).toEqual([2, 4, [[1, 2]]]);
  });

  it('fail only the question that fails', async () => {
    const { batches, double } = doubling([2]);
    const ends = await Promise.allSettled([1, 2, 3].map(double));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
    await expect(double(2)).rejects.toThrow('wrong');
    expect(batches.slice(4)).toEqual([[2]]);
    expect(await double(4)).toBe(8);
  });
});
