import { sql } from 'kysely';
import { ok } from '../../../core/problem/result.ts';
import { type CoveredStore, coverKey } from '../../../run/state/audit/covers.ts';
import { sealRun } from '../../../run/state/journal/seal-run.ts';
import type { StoreDb } from '../../database/tables.ts';

/** The plans and the decisions about them, as the audit log covers them. Rejects if the database fails. */
export function coveredStoreOn(db: StoreDb): CoveredStore {
  return {
    kinds: ['plan', 'approval'],
    async digestsOf(wanted) {
      const { rows: plans } = await sql<{ readonly id: string }>`
        select id, account, checksum, required, encode(sha256(document), 'hex') as document
        from rampart_server.plan where id = any(${[...(wanted.get('plan') ?? [])]}::text[])
      `.execute(db);
      const { rows: decisions } = await sql<{ readonly id: string }>`
        select plan || '/' || subject_key as id, subject, decision, numbers, comment, via
        from rampart_server.approval where plan || '/' || subject_key = any(${[...(wanted.get('approval') ?? [])]}::text[])
      `.execute(db);
      return ok(
        new Map([
          ...plans.map((row) => [coverKey('plan', row.id), sealRun([row]).start] as const),
          ...decisions.map((row) => [coverKey('approval', row.id), sealRun([row]).start] as const),
        ]),
      );
    },
    async present(recent) {
      const { rows } = await sql<{ readonly id: string }>`
        select plan || '/' || subject_key as id from rampart_server.approval
        where at not between ${new Date(recent)} and ${new Date(recent + 600_000)}
      `.execute(db);
      return ok(rows.map(({ id }) => coverKey('approval', id)));
    },
  };
}
