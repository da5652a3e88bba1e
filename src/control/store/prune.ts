import { notBuilt } from './not-built.ts';
import type { StoreDb } from './tables.ts';

/** How long records are kept, in days. */
export interface Retention {
  /** Ended runs with their logs, and plans that are no longer open. */
  readonly runsDays: number;
  readonly historyDays: number;
  readonly eventsDays: number;
}

/** How many rows of each kind were removed. */
export type Pruned = Readonly<Record<string, number>>;

/** Removes what is older than its retention, in small portions, and what has expired. */
export function pruneStore(_db: StoreDb, _retention: Retention): Promise<Pruned> {
  return notBuilt();
}

/** VACUUM ANALYZE of all tables, for the embedded database, which does not do it by itself. */
export function vacuumStore(_db: StoreDb): Promise<void> {
  return notBuilt();
}
