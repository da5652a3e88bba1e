import type { PGlite } from '@electric-sql/pglite';
import type { Result } from '../../core/problem/result.ts';
import { notBuilt } from './not-built.ts';
import type { StoreDatabase } from './store-database.ts';

/** PGlite in a thread of its own. Its transactions are exclusive: everyone else waits until one ends. */
export type ThreadedPglite = Pick<
  PGlite,
  'query' | 'exec' | 'listen' | 'transaction' | 'close' | 'closed' | 'ready' | 'waitReady'
>;

/** The embedded database. Stop everyone who uses `pglite` before `close`. */
export interface EmbeddedDatabase extends StoreDatabase {
  readonly pglite: ThreadedPglite;
}

/** Opens the database in a folder, or creates it. Only one process at a time may have it open. */
export async function openEmbeddedDatabase(_given: {
  readonly folder: string;
}): Promise<Result<EmbeddedDatabase>> {
  return notBuilt();
}
