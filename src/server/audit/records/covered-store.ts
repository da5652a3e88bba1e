import { sql } from 'kysely';
import { ok } from '../../../core/problem/problem.ts';
import { type CoveredStore, coverKey } from '../../../run/state/audit/covers.ts';
import { sealRun } from '../../../run/state/journal/seal-run.ts';
import type { StoreDb } from '../../database/query.ts';

/** The plans and the decisions about them, as the audit log covers them. Rejects if the database fails. */
export function coveredStoreOn(db: StoreDb): CoveredStore {
  return {
    kinds: ['plan', 'approval'],
    async digestsOf(wanted) {
      const { rows: plans } = await sql<{ readonly id: string }>`
        select id, account, checksum, required, encode(sha256(document), 'hex') as document
        from rampart_server.plan where id = any(${[...(wanted.get('plan') ?? [])]}::text[])
      `.execute(db);
      const { rows: decisions } = await sql<{ readonly id: string; readonly ticket: string | null }>`
        select plan || '/' || subject_key as id, subject, decision, numbers, comment, via, ticket
        from rampart_server.approval where plan || '/' || subject_key = any(${[...(wanted.get('approval') ?? [])]}::text[])
      `.execute(db);
      return ok(
        new Map([
          ...plans.map((row) => [coverKey('plan', row.id), sealRun([row]).start] as const),
          // Without a ticket, the digest equals that of servers that did not support tickets.
          ...decisions.map(({ ticket, ...row }) => {
            const sealed = ticket === null ? row : { ...row, ticket };
            return [coverKey('approval', row.id), sealRun([sealed]).start] as const;
          }),
        ]),
      );
    },
    async present(recent) {
      // The limits of an account approve a plan without people, which the log records as well.
      const { rows } = await sql<{ readonly kind: 'plan' | 'approval'; readonly id: string }>`
        select 'approval' as kind, plan || '/' || subject_key as id from rampart_server.approval
        where at not between ${new Date(recent)} and ${new Date(recent + 600_000)}
        union all
        select 'plan', id from rampart_server.plan where state in (${approvedStates})
      `.execute(db);
      return ok(rows.map(({ kind, id }) => coverKey(kind, id)));
    },
    async contradictions() {
      const { rows } = await sql<{ readonly id: string; readonly given: number; readonly needed: number }>`
        select plan.id, (plan.required->>'approvals')::int as needed, approvals.given
        from rampart_server.plan join (
          select plan, count(*) filter (where decision = 'approved')::int as given
          from rampart_server.approval group by plan
        ) as approvals on approvals.plan = plan.id
        where plan.state in (${approvedStates}) and approvals.given < (plan.required->>'approvals')::int
        order by plan.id
      `.execute(db);
      return rows.map(
        ({ id, given, needed }) =>
          `plan ${id} counts as approved, but has ${given} of the ${needed} approvals that it needs`,
      );
    },
  };
}

/** The states of plans that were approved. */
const approvedStates = sql`'approved', 'running', 'done'`;
