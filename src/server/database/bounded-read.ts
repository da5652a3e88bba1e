import { sql } from 'kysely';
import { inTransaction } from '../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from './query.ts';

/** Runs reads that may touch many rows. */
export type BoundedRead = <Value>(work: (db: StoreDb) => Promise<Value>) => Promise<Value>;

/** A person does not wait longer for a page, in milliseconds. */
const readMs = 5_000;

/**
 * Makes a server abort a statement that takes too long, instead of computing for a reader who has left. It also plans
 * for pages in memory, because for pages on a rotating disk it would read a whole index in order to avoid a few of
 * them. Both apply to one transaction only, because a pooler gives the connection to others afterwards. The embedded
 * database has no such limit, and a transaction would make everyone else wait.
 */
export function boundedRead(db: StoreDb, isEmbedded: boolean | undefined): BoundedRead {
  if (isEmbedded || db.isTransaction) return (work) => work(db);
  return (work) =>
    inTransaction(db, async (transaction) => {
      await sql`
        select set_config('statement_timeout', ${String(readMs)}, true), set_config('random_page_cost', '1.1', true)
      `.execute(transaction);
      return work(transaction);
    });
}
