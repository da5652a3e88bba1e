import { describe, expect, it } from 'vitest';
import { inParallel } from '../../../src/cli/accounts/in-parallel.ts';

/** Works on eight items; gives the results, and the most that ran at the same time. */
async function eight(most: number, isFull: (running: number) => boolean) {
  let running = 0;
  let peak = 0;
  const results = await inParallel(
    [8, 1, 7, 2, 6, 3, 5, 4],
    most,
    async (item) => {
      running += 1;
      peak = Math.max(peak, running);
      for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
      running -= 1;
      return item * 10;
    },
    () => isFull(running),
  );
  return { results, peak };
}

describe('work on several accounts', () => {
  const inOrder = [80, 10, 70, 20, 60, 30, 50, 40];

  it('runs side by side up to its limit, and keeps the order', async () => {
    expect(await eight(3, () => false)).toEqual({ results: inOrder, peak: 3 });
    expect(await eight(100, () => false)).toEqual({ results: inOrder, peak: 8 });
  });

  it('runs one after another while memory is full, and never stands still', async () => {
    expect(await eight(4, () => true)).toEqual({ results: inOrder, peak: 1 });
    expect(await eight(4, (running) => running >= 2)).toEqual({ results: inOrder, peak: 2 });
  });
});
