import { sql } from 'kysely';
import type { PlanState } from '../../../api/states.ts';
import { jsonRows } from '../../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from '../../database/query.ts';
import type { StoredRequirements } from '../decisions/stored-plan.ts';
import type { PlanRecord } from './plan-record.ts';

/** The outcome of plans: their state, or the result of the run that made them stale. */
export type PlanOutcome = PlanState | 'failed' | 'stopped' | 'in_doubt';

/** The plans of one commit with the same outcome. Only the latest plan of each account counts. */
export interface CommitPlans {
  readonly outcome: PlanOutcome;
  readonly plans: number;
  readonly changes: number;
  readonly irreversible: number;
  /** One of them. */
  readonly plan: {
    readonly id: string;
    readonly account: string;
    readonly reason: string | null;
    readonly required: StoredRequirements;
    readonly approvals: number;
  };
}

export async function readCommitPlans(
  db: StoreDb,
  source: string,
  commit: string,
): Promise<readonly CommitPlans[]> {
  const { rows } = await sql<CommitPlans>`
    with latest as (
      select distinct on (account) * from rampart_server.plan
      where source = ${source} and commit = ${commit} order by account, created_at desc, id desc
    ), ended as (
      select latest.*, coalesce(case when latest.state = 'stale' then (
        select state from rampart_server.run
        where run.plan = latest.id and run.state in ('failed', 'stopped', 'in_doubt')
        order by queued_at desc, id desc limit 1
      ) end, latest.state) as outcome,
      (select count(*)::integer from rampart_server.approval
        where approval.plan = latest.id and decision = 'approved') as approvals
      from latest
    )
    select outcome, count(*)::integer as plans, sum(changes)::integer as changes,
      sum(irreversible)::integer as irreversible,
      (array_agg(jsonb_build_object('id', id, 'account', account, 'reason', reason, 'required', required,
        'approvals', approvals) order by account))[1] as plan
    from ended group by outcome order by outcome
  `.execute(db);
  return rows;
}

/** The channel of the messages for the forge of a source. */
export function forgeChannel(source: string): string {
  return `${forgePrefix}${source}`;
}

/** No notification of the settings has a name that begins like this. */
export const forgePrefix = 'forge:';

/** Queues a report of each commit whose plans changed, together with the change. */
export async function reportPlans(
  transaction: StoreDb,
  plans: readonly PlanRecord[],
  reported: ReadonlySet<string>,
): Promise<void> {
  const commits = plans.flatMap(({ source, commit }) =>
    commit !== null && reported.has(source) ? [{ channel: forgeChannel(source), commit }] : [],
  );
  if (commits.length === 0) return;
  await sql`
    insert into rampart_server.notification (channel, kind, topic, facts)
    select distinct channel, 'status', commit, '{}'::jsonb
    from ${jsonRows(commits, 'channel text, commit text')}
    on conflict (channel, kind, topic, (coalesce(account, ''))) where state = 'pending' do nothing
  `.execute(transaction);
}
