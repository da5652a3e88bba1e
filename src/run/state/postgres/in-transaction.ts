import type { Kysely, QueryExecutorProvider } from 'kysely';
import { type RawBuilder, sql } from 'kysely';
import type { AuditEntry } from '../audit/audit-record.ts';
import { storableJson } from '../journal/storable-json.ts';
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

/**
 * A value as a parameter of the type jsonb, which both drivers send alike. Names that PostgreSQL can't store would fail
 * every check and every run of their account.
 */
export function toJson(value: unknown): RawBuilder<never> {
  return sql`${jsonText(value)}::jsonb`;
}

/** The parameter as a table, whose columns are declared as in `jsonb_to_recordset`. */
export function jsonRows(rows: readonly unknown[], columns: string): RawBuilder<never> {
  return sql`jsonb_to_recordset(${jsonText(rows)}::jsonb) as given (${sql.raw(columns)})`;
}

function jsonText(value: unknown): string {
  return storableJson(JSON.stringify(value ?? null));
}

/** The time of the database in JSON: RFC 3339 in UTC, with milliseconds. */
export const nowInJson = sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
