import type { Limit } from '../../model/desired.ts';

/** A share is rounded down, and never below one host; a share of nothing is nothing. */
export function allowance(limit: Limit, total: number): number {
  if (limit.kind === 'share' && limit.percent === 0) return 0;
  return limit.kind === 'count' ? limit.count : Math.max(1, Math.floor((limit.percent * total) / 100));
}
