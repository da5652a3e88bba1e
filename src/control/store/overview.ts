import type { Health } from './account-record.ts';
import { notBuilt } from './not-built.ts';
import type { StoreDb } from './tables.ts';
import type { Visible } from './visible.ts';

/** The counts of the overview. Its lists are the first pages of causes, plans and runs. */
export interface OverviewCounts {
  /** The time of the database. */
  readonly at: Date;
  readonly accounts: number;
  /** Accounts without a check so far. */
  readonly unchecked: number;
  readonly hosts: number;
  readonly health: Readonly<Record<Health, number>>;
  readonly oldestCheck: { readonly account: string; readonly at: Date } | null;
  /** Hosts changed in the last 24 hours, and accounts with changes. */
  readonly changed: { readonly hosts: number; readonly accounts: number };
}

export function readOverview(_db: StoreDb, _visible: Visible): Promise<OverviewCounts> {
  return notBuilt();
}
