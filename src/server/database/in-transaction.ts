import { lostAgainstOthers } from '../../run/state/postgres/database-problem.ts';
import type { StoreDb } from './tables.ts';

const mostAttempts = 5;

/**
 * Runs `work` in the transaction that `db` is, or in a new one. The database rolls back one of two transactions that wait for
 * each other: the work is then done again, so it may change nothing outside its transaction.
 */
export async function inTransaction<Value>(
  db: StoreDb,
  work: (transaction: StoreDb) => Promise<Value>,
): Promise<Value> {
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === mostAttempts || !lostAgainstOthers(error)) throw error;
    }
  }
}
