import { type QueryExecutorProvider, sql } from 'kysely';
import { canonicalJson } from '../../../core/lib/canonical-json.ts';
import type { AuditEntry } from '../audit/audit-record.ts';
import { type ChainHead, chainRecords, emptyChain, parseRecord, type StoredRecord } from '../audit/chain.ts';

/** The advisory lock for appending; any unused number. */
const lockKey = 7_241_803_415;
/** A process that is frozen while it holds the lock loses it after this time. */
const longestHold = '3s';

/**
 * Appends entries that exist only if a transaction commits. The lock ends with the transaction, so it also works behind
 * a pooler that shares connections. It must be the last step of the transaction: nobody else can append until the end
 * of the transaction, and a later wait for another lock could be a wait for someone who waits for this one.
 */
export async function appendAudit(
  transaction: QueryExecutorProvider,
  entries: readonly AuditEntry[],
  isRetry = false,
): Promise<ChainHead> {
  await sql`
      select set_config('idle_in_transaction_session_timeout', ${longestHold}, true), pg_advisory_xact_lock(${lockKey}::bigint)
    `.execute(transaction);
  // A separate statement, because it must see what was written before the lock was granted. It always returns one row.
  const { rows } = await sql<LastRow>`
      select clock_timestamp() as now, coalesce(last.seq, ${emptyChain.seq}) as seq,
        coalesce(last.hash, ${emptyChain.hash}) as hash, coalesce(last.body, '') as body
      from (values (1)) as one left join lateral (
        select seq, hash, body from rampart.audit order by seq desc limit 1
      ) as last on true
    `.execute(transaction);
  const { now, seq, hash, body } = rows[0] as LastRow;
  if (isRetry && wasWritten(body, entries)) return { seq, hash };
  const next = chainRecords({ seq, hash }, entries, now.toISOString());
  await insertRecords(transaction, seq, next.records);
  return next.head;
}

/** Keeps everyone else from appending until the end of the transaction. */
export async function lockAudit(transaction: QueryExecutorProvider): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockKey}::bigint)`.execute(transaction);
}

export async function insertRecords(
  db: QueryExecutorProvider,
  after: number,
  records: readonly StoredRecord[],
): Promise<void> {
  const rows = records.map(({ hash, text }, index) => ({ seq: after + 1 + index, hash, body: text }));
  await sql`
    insert into rampart.audit (seq, hash, body)
    select seq, hash, body from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (seq integer, hash text, body text)
  `.execute(db);
}

/** The last record; its text is empty if there is none. */
interface LastRow extends ChainHead {
  readonly now: Date;
  readonly body: string;
}

/** Was only the response lost? */
function wasWritten(lastText: string, entries: readonly AuditEntry[]): boolean {
  const record = parseRecord(lastText);
  if (record === undefined) return false;
  const { kind, origin, what } = record;
  return canonicalJson({ kind, origin, what }) === canonicalJson(entries.at(-1));
}
