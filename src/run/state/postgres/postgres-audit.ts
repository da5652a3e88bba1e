import { type Kysely, sql } from 'kysely';
import { canonicalJson } from '../../../core/lib/canonical-json.ts';
import type { Clock } from '../../../core/lib/clock.ts';
import { failed, ok } from '../../../core/problem/result.ts';
import { type AuditLog, notEmpty } from '../audit/audit-log.ts';
import type { AuditEntry } from '../audit/audit-record.ts';
import { type ChainHead, chainRecords, emptyChain, parseRecord, type StoredRecord } from '../audit/chain.ts';
import { startStopwatch } from '../lease/stopwatch.ts';
import type { Database } from './connect.ts';
import { mayPass } from './database-problem.ts';
import type { Tables } from './tables.ts';

/** The advisory lock for appending; any unused number. */
const lockKey = 7_241_803_415;
/** A process that is frozen while it holds the lock loses it after this time. */
const longestHold = '3s';
const pageSize = 1_000;
/** How long to wait for an unavailable database, in milliseconds. */
const patienceMs = 10_000;
const retryMs = 250;

/** Rejects if the database fails. */
export function postgresAudit({ db, place }: Database): AuditLog {
  // A frozen process then keeps others from the log for one transaction, and not for one after another.
  let latest: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = latest.then(work, work);
    latest = next.catch(() => undefined);
    return next;
  };
  const rows = () => db.selectFrom('rampart.audit').select(['seq', 'hash', 'body as text']);
  return {
    append: async (clock, entries) =>
      ok(await inTurn(() => patiently(clock, (isRetry) => appendOnce(db, entries, isRetry)))),
    async latest(count) {
      const latest = await rows().orderBy('seq', 'desc').limit(count).execute();
      return ok(latest.reverse().map(stored));
    },
    async page(cursor) {
      const page = await rows().where('seq', '>', cursor).orderBy('seq').limit(pageSize).execute();
      return ok({
        records: page.map(stored),
        // Only a full page has this record.
        next: page[pageSize - 1]?.seq ?? null,
      });
    },
    restore: (records) =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${lockKey}::bigint)`.execute(transaction);
        const first = await transaction.selectFrom('rampart.audit').select('seq').limit(1).execute();
        if (first.length > 0) return failed(notEmpty(place));
        for (let at = 0; at < records.length; at += pageSize)
          await insert(transaction, at, records.slice(at, at + pageSize));
        return ok(null);
      }),
    async readHead() {
      const { rows: heads } = await sql<{
        readonly head: string;
      }>`select head from rampart.audit_head`.execute(db);
      return ok(heads[0]?.head ?? null);
    },
    async saveHead(head, isFirst = false) {
      const { rows: saved } = await sql`
        insert into rampart.audit_head (seq, head) values (${head.seq}, ${JSON.stringify(head)})
        on conflict (id) do update set seq = excluded.seq, head = excluded.head
        where audit_head.seq <= excluded.seq and not ${isFirst}::boolean
        returning seq
      `.execute(db);
      return ok(!isFirst || saved.length > 0);
    },
  };
}

function stored({ hash, text }: StoredRecord): StoredRecord {
  return { hash, text };
}

function appendOnce(
  db: Kysely<Tables>,
  entries: readonly AuditEntry[],
  isRetry: boolean,
): Promise<ChainHead> {
  return db.transaction().execute((transaction) => appendAuditWithin(transaction, entries, isRetry));
}

/**
 * Appends entries that exist only if a transaction commits. The lock ends with the transaction, so it also works behind a
 * pooler that shares connections.
 */
export async function appendAuditWithin(
  transaction: Kysely<Tables>,
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
  await insert(transaction, seq, next.records);
  return next.head;
}

/** The last record; its text is empty if there is none. */
interface LastRow extends ChainHead {
  readonly now: Date;
  readonly body: string;
}

/** Was only the reply lost? */
function wasWritten(lastText: string, entries: readonly AuditEntry[]): boolean {
  const record = parseRecord(lastText);
  if (record === undefined) return false;
  const { kind, origin, what } = record;
  return canonicalJson({ kind, origin, what }) === canonicalJson(entries.at(-1));
}

async function insert(db: Kysely<Tables>, after: number, records: readonly StoredRecord[]): Promise<void> {
  const rows = records.map(({ hash, text }, index) => ({ seq: after + 1 + index, hash, body: text }));
  await sql`
    insert into rampart.audit (seq, hash, body)
    select seq, hash, body from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (seq integer, hash text, body text)
  `.execute(db);
}

async function patiently<T>(clock: Clock, work: (isRetry: boolean) => Promise<T>): Promise<T> {
  const waited = startStopwatch();
  for (let isRetry = false; ; isRetry = true) {
    try {
      return await work(isRetry);
    } catch (error) {
      if (!mayPass(error) || waited() > patienceMs) throw error;
      await clock.sleep(retryMs);
    }
  }
}
