import { type RawBuilder, sql } from 'kysely';
import type { Visible } from '../../../api/access/grants.ts';
import type { History } from '../../../api/overview.ts';
import type { BoundedRead } from '../../database/bounded-read.ts';
import { ifGiven, type StoreDb, visibleRows } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';

/** A value is null if there was no check, so nobody knows. */
type HistorySeries = Stored<History, 'from'>;

export interface HistoryQuery {
  readonly visible: Visible;
  readonly account?: string | undefined;
  /** Rounded down to an hour. */
  readonly from: Date;
  /** At most 400. */
  readonly buckets: number;
  /** Rounded up to hours. */
  readonly bucketSeconds: number;
}

export interface HistoryCounts {
  readonly changes?: number;
  readonly rateLimited?: number;
}

/** Older history has one row for each day, at midnight UTC, in place of one for each hour. */
export const hourlyDays = 15;

const hour = 3_600;
/** Checks of this time before the first bucket are looked at: one day of old history has one row. */
const earlierSeconds = 2 * 24 * hour;
const mostBuckets = 400;

interface BucketRow {
  readonly bucket: number;
  readonly drifted: number | null;
  readonly changes: number;
  readonly checks: number;
  readonly rate_limited: number;
}

export function historyOn(db: StoreDb, bounded: BoundedRead) {
  return {
    /**
     * Hosts that differed, changes, checks, and 429 responses. The number of an hour comes from the latest check of
     * each account, even one before that hour; a bucket has the highest number of its hours.
     */
    async read(query: HistoryQuery): Promise<HistorySeries> {
      const bucketSeconds = Math.max(1, Math.ceil(query.bucketSeconds / hour)) * hour;
      const buckets = Math.min(Math.max(1, Math.trunc(query.buckets)), mostBuckets);
      const start = Math.floor(query.from.getTime() / 1_000 / hour) * hour;
      const mine = (column: RawBuilder<unknown>) =>
        sql`${visibleRows(query.visible, column)} and ${ifGiven(query.account, (account) => sql`${column} = ${account}`)}`;
      const { rows } = await bounded((reader) =>
        sql<BucketRow>`
        with counted as materialized (
          select at, account, drifted, changes, checks, rate_limited from rampart_server.history
          where at >= to_timestamp(${start - earlierSeconds}::bigint)
            and at < to_timestamp(${start + bucketSeconds * buckets}::bigint) and ${mine(sql`account`)}
        ),
        levels as (
          select at, account, drifted from counted where checks > 0
          union all
          select last_check_at, name, drifted from rampart_server.account
          where removed_at is null and ${mine(sql`name`)}
          union all
          select max(at) + interval '1 hour', account, 0 from counted
          where not exists (select from rampart_server.account where name = account and removed_at is null)
          group by account
        ),
        steps as (
          select at, drifted - coalesce(lag(drifted) over (partition by account order by at), 0) as step from levels
        ),
        known as (select at, sum(sum(step)) over (order by at) as drifted from steps group by at),
        hours as (
          select at, sum(changes) as changes, sum(checks) as checks, sum(rate_limited) as rate_limited
          from counted where at >= to_timestamp(${start}::bigint) group by at
        )
        select floor((extract(epoch from at) - ${start}::bigint) / ${bucketSeconds}::bigint)::integer as bucket,
          (max(known.drifted) filter (where checks > 0))::integer as drifted, sum(changes)::integer as changes,
          sum(checks)::integer as checks, sum(rate_limited)::integer as rate_limited
        from hours left join known using (at) group by 1
      `.execute(reader),
      );
      const byBucket = new Map(rows.map((row) => [row.bucket, row]));
      const valuesOf = (name: Exclude<keyof BucketRow, 'bucket'>, unknown: 0 | null = 0) =>
        Array.from({ length: buckets }, (_, bucket) => byBucket.get(bucket)?.[name] ?? unknown);
      return {
        from: new Date(start * 1_000),
        bucket_seconds: bucketSeconds,
        series: {
          drifted: valuesOf('drifted', null),
          changes: valuesOf('changes'),
          checks: valuesOf('checks'),
          rate_limited: valuesOf('rate_limited'),
        },
      };
    },

    /** Adds to the counts of this hour. Checks are counted by `recordCheck`. */
    async count(account: string, { changes = 0, rateLimited = 0 }: HistoryCounts): Promise<void> {
      await sql`
        insert into rampart_server.history as old (at, account, drifted, changes, rate_limited)
        select date_trunc('hour', clock_timestamp(), 'UTC'), name, coalesce(drifted, 0), ${changes}::integer,
          ${rateLimited}::integer
        from rampart_server.account where name = ${account}
        on conflict (at, account) do update set changes = old.changes + excluded.changes,
          rate_limited = old.rate_limited + excluded.rate_limited
      `.execute(db);
    },
  };
}
