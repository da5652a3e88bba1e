import type { Limit } from '../../core/model/limits.ts';

/** A share is rounded down, so that 2% of ten accounts allows none. */
export function allowedFailures(maxFailed: Limit, total: number): number {
  if (maxFailed.kind === 'count') return maxFailed.count;
  return Math.floor((maxFailed.percent * total) / 100 + 1e-9);
}
