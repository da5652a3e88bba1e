import { sql } from 'kysely';
import type { Subject, Visible } from '../../../api/access/grants.ts';
import type { RehearsalDetail, RehearsalState } from '../../../api/plans.ts';
import { inTransaction, toJson } from '../../../run/state/postgres/in-transaction.ts';
import type { Failure } from '../../accounts/decisions/account-state.ts';
import { type StoreDb, visibleRows } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';
import { appendEvents } from '../../events/records/append-events.ts';

export type RehearsalRun = RehearsalDetail['runs'][number];
export type RehearsalFinding = RehearsalDetail['findings'][number];

/** What a rehearsal found, or why there is no result. */
export interface RehearsalResult {
  readonly runs: readonly RehearsalRun[];
  /** The first ones; `more` counts the others. */
  readonly findings: readonly RehearsalFinding[];
  readonly more: number;
  readonly failure: Failure | null;
}

export interface RehearsalRecord
  extends Pick<Stored<RehearsalDetail, 'asked_at' | 'ended_at'>, 'state' | 'by' | 'asked_at' | 'ended_at'> {
  readonly plan: string;
  /** Null until it has ended. */
  readonly result: RehearsalResult | null;
}

const columns = sql`rehearsal.plan, rehearsal.state, rehearsal."by", rehearsal.asked_at,
  rehearsal.ended_at, rehearsal.result`;

export function rehearsalsOn(db: StoreDb) {
  const announce = (transaction: StoreDb, { plan, state }: RehearsalRecord) =>
    sql<{ account: string }>`select account from rampart_server.plan where id = ${plan}`
      .execute(transaction)
      .then(({ rows }) =>
        appendEvents(
          transaction,
          rows.map(({ account }) => ({
            type: 'plan.changed',
            account,
            resource: plan,
            data: { rehearsal: state },
          })),
        ),
      );
  return {
    async find(plan: string, visible: Visible): Promise<RehearsalRecord | undefined> {
      const { rows } = await sql<RehearsalRecord>`
        select ${columns} from rampart_server.rehearsal join rampart_server.plan on plan.id = rehearsal.plan
        where rehearsal.plan = ${plan} and ${visibleRows(visible, sql`plan.account`)}
      `.execute(db);
      return rows[0];
    },

    /**
     * Requests the rehearsal of a plan. A waiting or running one is kept, and so is a result on the fleet as it was
     * last read. One that failed, or whose fleet has changed since, starts again.
     */
    ask: (plan: string, by: Subject): Promise<{ rehearsal: RehearsalRecord; isNew: boolean }> =>
      inTransaction(db, async (transaction) => {
        const { rows: asked } = await sql<RehearsalRecord>`
          insert into rampart_server.rehearsal (plan, state, "by") values (${plan}, 'queued', ${toJson(by)})
          on conflict (plan) do update set state = 'queued', "by" = excluded."by", asked_at = clock_timestamp(),
            ended_at = null, result = null, fleet = null
          where rehearsal.state = 'failed' or (rehearsal.state = 'done' and rehearsal.fleet is distinct from (
            select account.fleet_digest from rampart_server.plan
            join rampart_server.account on account.name = plan.account where plan.id = rehearsal.plan
          ))
          returning ${columns}
        `.execute(transaction);
        const [added] = asked;
        if (added !== undefined) {
          await announce(transaction, added);
          return { rehearsal: added, isNew: true };
        }
        const { rows } = await sql<RehearsalRecord>`
          select ${columns} from rampart_server.rehearsal where plan = ${plan}
        `.execute(transaction);
        return { rehearsal: rows[0] as RehearsalRecord, isNew: false };
      }),

    /** Undefined if it has ended. A worker that was lost may have begun it before. */
    begin: (plan: string): Promise<RehearsalRecord | undefined> =>
      inTransaction(db, async (transaction) => {
        const { rows } = await sql<RehearsalRecord>`
          update rampart_server.rehearsal set state = 'running'
          where plan = ${plan} and state in ('queued', 'running') returning ${columns}
        `.execute(transaction);
        if (rows[0] !== undefined) await announce(transaction, rows[0]);
        return rows[0];
      }),

    /** `fleet`: the digest of the fleet that it ran on. */
    end: (plan: string, fleet: string | null, result: RehearsalResult): Promise<void> =>
      inTransaction(db, async (transaction) => {
        const state: RehearsalState = result.failure === null ? 'done' : 'failed';
        const { rows } = await sql<RehearsalRecord>`
          update rampart_server.rehearsal set state = ${state}, fleet = ${fleet}, ended_at = clock_timestamp(),
            result = ${toJson(result)}
          where plan = ${plan} and state in ('queued', 'running') returning ${columns}
        `.execute(transaction);
        if (rows[0] !== undefined) await announce(transaction, rows[0]);
      }),

    /** Ends those that no worker ended: their job was never queued, or each of its workers was lost. */
    giveUp: (): Promise<void> =>
      inTransaction(db, async (transaction) => {
        const result: RehearsalResult = { runs: [], findings: [], more: 0, failure: lost };
        const { rows } = await sql<RehearsalRecord>`
          update rampart_server.rehearsal set state = 'failed', ended_at = clock_timestamp(), result = ${toJson(result)}
          where state in ('queued', 'running') and asked_at < clock_timestamp() - interval '1 hour'
          returning ${columns}
        `.execute(transaction);
        for (const each of rows) await announce(transaction, each);
      }),
  };
}

const lost: Failure = {
  code: 'timed-out',
  message: 'the rehearsal did not end within 1 hour',
  hint: 'request it again; a plan that is too large for the server can be downloaded and rehearsed with: rampart plan rehearse plan.json',
};
