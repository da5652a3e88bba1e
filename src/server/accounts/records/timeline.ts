import { sql } from 'kysely';
import type { TimelineRow } from '../../../api/accounts.ts';
import type { Result } from '../../../core/problem/problem.ts';
import {
  type ListPage,
  type PageRequest,
  pageLimit,
  readCursor,
  timeKey,
  toListPage,
} from '../../database/page.ts';
import { type StoreDb, visibleRows } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';

/** Something that happened to an account. */
export type HappenedRecord = Stored<TimelineRow, 'at'>;

interface TimelineQuery extends PageRequest {
  readonly account: string;
}

/**
 * Plans, decisions, runs and the differences, ignores and pauses that last, latest first. Each part of the statement reads
 * one account by an index.
 */
export function timelineOn(db: StoreDb) {
  return async ({
    account,
    visible,
    cursor: given,
    limit: asked,
  }: TimelineQuery): Promise<Result<ListPage<HappenedRecord>>> => {
    const cursor = readCursor(given, timeKey);
    if (!cursor.ok) return cursor;
    const limit = pageLimit(asked);
    const [time, last] = cursor.value ?? ['9999-12-31T00:00:00.000Z', ''];
    const { rows } = await sql<HappenedRecord>`
      select * from (
        select 'plan ' || id as key, created_at as at, 'proposed' as kind, id as plan, author as "by", commit as text,
          counts, null as state, null::jsonb as steps, null::integer as hosts
        from rampart_server.plan where account = ${account}
        union all
        select 'approval ' || plan.id || ' ' || subject_key, date_trunc('milliseconds', approval.at), decision, plan.id,
          subject->>'name', comment, null, null, null, null
        from rampart_server.approval join rampart_server.plan on plan.id = approval.plan
        where plan.account = ${account}
        union all
        select 'start ' || id, date_trunc('milliseconds', started_at), 'run-started', plan, "by"->>'name', reason, null,
          null, null, null
        from rampart_server.run where account = ${account} and started_at is not null
        union all
        select 'end ' || id, date_trunc('milliseconds', ended_at), 'run-ended', plan, stop_by->>'name', null, null,
          state, steps, null
        from rampart_server.run where account = ${account} and ended_at is not null
        union all
        select 'cause ' || cause.id, date_trunc('milliseconds', account_cause.since), 'drifted', null, null, cause.title,
          null, null, null, account_cause.hosts
        from rampart_server.account_cause join rampart_server.cause on cause.id = account_cause.cause
        where account_cause.account = ${account} and cause.kind = 'fleet'
        union all
        select 'ignore ' || min(id), date_trunc('milliseconds', at), 'ignored', null, "by"->>'name', reason, null, null,
          null, count(distinct host_id)::integer
        from rampart_server.ignored_drift where account = ${account} group by 2, "by"->>'name', reason
        union all
        select 'pause ' || id, date_trunc('milliseconds', at), 'paused', null, "by"->>'name', reason, null, null, null,
          null
        from rampart_server.pause where scope = ${`account:${account}`}
      ) as happened
      where (at, key) < (${time}::timestamptz, ${last}) and ${visibleRows(visible, sql`${account}::text`)}
      order by at desc, key desc limit ${limit + 1}
    `.execute(db);
    return toListPage(rows, limit, ({ at, key }) => [at.toISOString(), key]);
  };
}
