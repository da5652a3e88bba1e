import type { QueryExecutorProvider } from 'kysely';

/** The end of the latest turn of each connection pool. */
const latest = new WeakMap<object, Promise<void>>();

/**
 * Runs `work`, whose turn to append to the audit log begins when it calls `turn`, and lasts until it has ended. The
 * transactions of a process take turns, so at most one of them waits for the lock of the log in the database. If all
 * did, a frozen process would be given the lock once for each of them, and keep every other process from the log each
 * time.
 */
export async function withAuditTurn<Value>(
  db: QueryExecutorProvider,
  work: (turn: () => Promise<void>) => Promise<Value>,
): Promise<Value> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  try {
    return await work(async () => {
      // All views of a database share its executor.
      const pool = db.getExecutor();
      const before = latest.get(pool);
      latest.set(pool, ended);
      await before;
    });
  } finally {
    end();
  }
}
