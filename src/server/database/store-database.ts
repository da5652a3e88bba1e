import type { Database } from '../../run/state/postgres/connect.ts';

/** Calls `onWake` for each notification on a channel, and whenever some may have been lost. Returns how to stop. */
export type DatabaseListener = (channel: string, onWake: () => void) => () => Promise<void>;

/** The database of a server: the one of its shared state, with notifications. */
export interface StoreDatabase extends Database {
  readonly notifier: DatabaseListener;
  /** Computes in this process, one statement at a time. */
  readonly isEmbedded?: true;
}
