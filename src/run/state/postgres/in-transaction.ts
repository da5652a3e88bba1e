import type { Kysely, QueryExecutorProvider } from 'kysely';
import type { AuditEntry } from '../audit/audit-record.ts';
import { appendAudit } from './append-audit.ts';
import { withAuditTurn } from './audit-turn.ts';
import { lostAgainstOthers } from './database-problem.ts';

/** What each open transaction appends to the audit log at its end. */
const pending = new WeakMap<object, AuditEntry[]>();
const mostAttempts = 5;

/**
 * Runs `work` in the transaction that `db` is, or in a new one. The database rolls back one of two transactions that
 * wait for each other: the work is then done again, so it may change nothing outside its transaction.
 */
export async function inTransaction<Tables, Value>(
  db: Kysely<Tables>,
  work: (transaction: Kysely<Tables>) => Promise<Value>,
): Promise<Value> {
  if (db.isTransaction) return work(db);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once(db, work);
    } catch (error) {
      if (attempt === mostAttempts || !lostAgainstOthers(error)) throw error;
    }
  }
}

function once<Tables, Value>(
  db: Kysely<Tables>,
  work: (transaction: Kysely<Tables>) => Promise<Value>,
): Promise<Value> {
  return withAuditTurn(db, (turn) =>
    db.transaction().execute(async (transaction) => {
      const entries: AuditEntry[] = [];
      pending.set(transaction.getExecutor(), entries);
      const value = await work(transaction);
      if (entries.length > 0) {
        await turn();
        await appendAudit(transaction, entries);
      }
      return value;
    }),
  );
}

/** Appends entries to the audit log at the end of a transaction of `inTransaction`. */
export function auditAtEnd(transaction: QueryExecutorProvider, entries: readonly AuditEntry[]): void {
  const rest = pending.get(transaction.getExecutor());
  if (rest === undefined) throw new Error('the audit log is written in a transaction of inTransaction');
  rest.push(...entries);
}
