import { type RawBuilder, sql } from 'kysely';
import type { Subject, Visible } from '../../../api/access/grants.ts';
import type { RehearsalDetail, RehearsalState } from '../../../api/plans.ts';
import { inTransaction, toJson } from '../../../run/state/postgres/in-transaction.ts';
import type { Failure } from '../../accounts/decisions/account-state.ts';
import { type StoreDb, visibleRows } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';
import { changeAndAnnounce, type NewEvent } from '../../events/records/append-events.ts';

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
  readonly account: string;
  /** Null until it has ended. */
  readonly result: RehearsalResult | null;
}

const columns = sql`rehearsal.plan, (select account from rampart_server.plan where id = rehearsal.plan),
  rehearsal.state, rehearsal."by", rehearsal.asked_at, rehearsal.ended_at, rehearsal.result`;

export function rehearsalsOn(db: StoreDb) {
  const changed = (statement: RawBuilder<RehearsalRecord>, within = db) =>
    changeAndAnnounce(within, statement, (rows) => rows.map(eventOf));
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
        const [added] = await changed(
          sql`
            insert into rampart_server.rehearsal (plan, state, "by") values (${plan}, 'queued', ${toJson(by)})
            on conflict (plan) do update set state = 'queued', "by" = excluded."by", asked_at = clock_timestamp(),
              ended_at = null, result = null, fleet = null
            where rehearsal.state = 'failed' or (rehearsal.state = 'done' and rehearsal.fleet is distinct from (
              select account.fleet_digest from rampart_server.plan
              join rampart_server.account on account.name = plan.account where plan.id = rehearsal.plan
            ))
            returning ${columns}
        `,
          transaction,
        );
        if (added !== undefined) return { rehearsal: added, isNew: true };
        const { rows } = await sql<RehearsalRecord>`
          select ${columns} from rampart_server.rehearsal where plan = ${plan}
        `.execute(transaction);
        return { rehearsal: rows[0] as RehearsalRecord, isNew: false };
      }),

    /** Undefined if it has ended. A worker that was lost may have begun it before. */
    async begin(plan: string): Promise<RehearsalRecord | undefined> {
      const [begun] = await changed(sql`
        update rampart_server.rehearsal set state = 'running'
        where plan = ${plan} and state in ('queued', 'running') returning ${columns}
      `);
      return begun;
    },

    /** `fleet`: the digest of the fleet that it ran on. */
    async end(plan: string, fleet: string | null, result: RehearsalResult): Promise<void> {
      const state: RehearsalState = result.failure === null ? 'done' : 'failed';
      await changed(sql`
        update rampart_server.rehearsal set state = ${state}, fleet = ${fleet}, ended_at = clock_timestamp(),
          result = ${toJson(result)}
        where plan = ${plan} and state in ('queued', 'running') returning ${columns}
      `);
    },

    /** Ends those that no worker ended: their job was never queued, or each of its workers was lost. */
    async giveUp(): Promise<void> {
      const result: RehearsalResult = { runs: [], findings: [], more: 0, failure: lost };
      await changed(sql`
        update rampart_server.rehearsal set state = 'failed', ended_at = clock_timestamp(), result = ${toJson(result)}
        where state in ('queued', 'running') and asked_at < clock_timestamp() - interval '1 hour'
        returning ${columns}
      `);
    },
  };
}

function eventOf({ plan, account, state }: RehearsalRecord): NewEvent {
  return { type: 'plan.changed', account, resource: plan, data: { rehearsal: state } };
}

const lost: Failure = {
  code: 'timed-out',
  message: 'the rehearsal did not end within 1 hour',
  hint: 'request it again; a plan that is too large for the server can be downloaded and rehearsed with: rampart plan rehearse plan.json',
};
