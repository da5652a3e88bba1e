import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { canonicalJson } from '../../../core/lib/canonical-json.ts';
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
const pageSize = 1_000;
/** How long to wait for an unavailable database, in milliseconds. */
const patienceMs = 10_000;
const retryMs = 250;

/** Rejects if the database fails. */
export function postgresAudit({ db, place }: Database): AuditLog {
  const rows = () => db.selectFrom('rampart.audit').select(['seq', 'hash', 'body as text']);
  return {
    append: async (_clock, entries) => ok(await patiently((isRetry) => appendOnce(db, entries, isRetry))),
    async latest(count) {
      const latest = await rows().orderBy('seq', 'desc').limit(count).execute();
      return ok(latest.reverse().map(stored));
    },
    async page(cursor) {
      const page = await rows().where('seq', '>', cursor).orderBy('seq').limit(pageSize).execute();
      return ok({
        records: page.map(stored),
        next: page.length < pageSize ? null : (page.at(-1)?.seq ?? null),
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
  };
}

function stored({ hash, text }: StoredRecord): StoredRecord {
  return { hash, text };
}

/** The lock ends with the transaction, so it also works behind a pooler that shares connections. */
function appendOnce(
  db: Kysely<Tables>,
  entries: readonly AuditEntry[],
  isRetry: boolean,
): Promise<ChainHead> {
  return db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lockKey}::bigint)`.execute(transaction);
    // A separate statement, because it must see what was written before the lock was granted.
    const { rows } = await sql<LastRow>`
      select clock_timestamp() as now, last.seq, last.hash, last.body
      from (values (1)) as one left join lateral (
        select seq, hash, body from rampart.audit order by seq desc limit 1
      ) as last on true
    `.execute(transaction);
    const [last] = rows;
    const head = last === undefined || last.seq === null ? emptyChain : { seq: last.seq, hash: last.hash };
    if (isRetry && wasWritten(last, entries)) return head;
    const next = chainRecords(head, entries, (last?.now ?? new Date()).toISOString());
    await insert(transaction, head.seq, next.records);
    return next.head;
  });
}

type LastRow = { readonly now: Date } & (
  | { readonly seq: number; readonly hash: string; readonly body: string }
  | { readonly seq: null; readonly hash: null; readonly body: null }
);

/** Was only the reply lost? */
function wasWritten(last: LastRow | undefined, entries: readonly AuditEntry[]): boolean {
  const record = parseRecord(last?.body ?? '');
  const entry = entries.at(-1);
  if (record === undefined || entry === undefined) return false;
  const { kind, origin, what } = record;
  return canonicalJson({ kind, origin, what }) === canonicalJson(entry);
}

async function insert(db: Kysely<Tables>, after: number, records: readonly StoredRecord[]): Promise<void> {
  if (records.length === 0) return;
  const rows = records.map(({ hash, text }, index) => ({ seq: after + 1 + index, hash, body: text }));
  await sql`
    insert into rampart.audit (seq, hash, body)
    select seq, hash, body from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (seq integer, hash text, body text)
  `.execute(db);
}

async function patiently<T>(work: (isRetry: boolean) => Promise<T>): Promise<T> {
  const waited = startStopwatch();
  for (let isRetry = false; ; isRetry = true) {
    try {
      return await work(isRetry);
    } catch (error) {
      if (!mayPass(error) || waited() > patienceMs) throw error;
      await pause(retryMs);
    }
  }
}
