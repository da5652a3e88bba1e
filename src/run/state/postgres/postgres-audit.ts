import { type RawBuilder, sql } from 'kysely';
import { failed, ok } from '../../../core/problem/problem.ts';
import { type AuditLog, notEmpty } from '../audit/audit-log.ts';
import type { AuditEntry } from '../audit/audit-record.ts';
import type { ChainHead, StoredRecord } from '../audit/chain.ts';
import { appendAudit, insertRecords, lockAudit } from './append-audit.ts';
import { withAuditTurn } from './audit-turn.ts';
import type { Database } from './connect.ts';
import { patiently } from './patiently.ts';

const pageSize = 1_000;

/** Rejects if the database fails. */
export function postgresAudit({ db, place }: Database): AuditLog {
  const rowsOf = async (part: RawBuilder<unknown>) => {
    const { rows } = await sql<StoredRecord & { readonly seq: number }>`
      select seq, hash, body as text from rampart.audit ${part}
    `.execute(db);
    return rows;
  };
  return {
    append: async (clock, entries) =>
      ok(
        await patiently(
          (ms) => clock.sleep(ms),
          (isRetry) => appendOnce(db, entries, isRetry),
        ),
      ),
    async latest(count) {
      const latest = await rowsOf(sql`order by seq desc limit ${count}`);
      return ok(latest.reverse().map(stored));
    },
    async page(cursor) {
      const page = await rowsOf(sql`where seq > ${cursor} order by seq limit ${pageSize}`);
      return ok({
        records: page.map(stored),
        // Only a full page has this record.
        next: page[pageSize - 1]?.seq ?? null,
      });
    },
    restore: (records) =>
      db.transaction().execute(async (transaction) => {
        await lockAudit(transaction);
        const { rows: first } = await sql`select seq from rampart.audit limit 1`.execute(transaction);
        if (first.length > 0) return failed(notEmpty(place));
        for (let at = 0; at < records.length; at += pageSize)
          await insertRecords(transaction, at, records.slice(at, at + pageSize));
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
  db: Database['db'],
  entries: readonly AuditEntry[],
  isRetry: boolean,
): Promise<ChainHead> {
  return withAuditTurn(db, (turn) =>
    db.transaction().execute(async (transaction) => {
      await turn();
      return appendAudit(transaction, entries, isRetry);
    }),
  );
}
