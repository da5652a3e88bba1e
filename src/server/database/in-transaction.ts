import type { StoreDb } from './tables.ts';

/** Runs `work` in the transaction that `db` is, or in a new one. */
export function inTransaction<Value>(
  db: StoreDb,
  work: (transaction: StoreDb) => Promise<Value>,
): Promise<Value> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
