/**
 * Runs each way once a round, one after another, so that a busy machine slows all of them; returns the median time of
 * each in milliseconds, in the same order.
 */
export function inTurns(rounds: number, ways: readonly (() => unknown)[]): readonly number[] {
  const times = ways.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, way] of ways.entries()) times[index]?.push(timeOf(way));
  }
  return times.map(median);
}

export function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}
