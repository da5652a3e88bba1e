import { notBuilt } from './not-built.ts';
import type { StoreDb } from './tables.ts';
import type { Visible } from './visible.ts';

export interface HistorySeries {
  readonly from: Date;
  readonly bucketSeconds: number;
  /** One value for each bucket, oldest first. */
  readonly series: Readonly<Record<'drifted' | 'changes' | 'checks' | 'rate_limited', readonly number[]>>;
}

export interface HistoryQuery {
  readonly visible: Visible;
  readonly account?: string | undefined;
  readonly from: Date;
  /** The number of buckets, at most 400. */
  readonly buckets: number;
  /** A multiple of an hour. */
  readonly bucketSeconds: number;
}

export type History = ReturnType<typeof historyOn>;

export function historyOn(_db: StoreDb) {
  return {
    read: (_query: HistoryQuery): Promise<HistorySeries> => notBuilt(),
    /** Adds to the counts of this hour. Checks are counted by `recordCheck`. */
    count: (
      _account: string,
      _counts: { readonly changes?: number; readonly rateLimited?: number },
    ): Promise<void> => notBuilt(),
  };
}
