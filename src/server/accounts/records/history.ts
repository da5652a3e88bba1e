import { sql } from 'kysely';
import type { Visible } from '../../../api/access/grants.ts';
import type { HistoryKind } from '../../../api/overview.ts';
import type { BoundedRead } from '../../database/bounded-read.ts';
import { ifGiven } from '../../database/if-given.ts';
import type { StoreDb } from '../../database/tables.ts';
import { visibleRows } from '../../database/visible.ts';

export interface HistorySeries {
  readonly from: Date;
  readonly bucketSeconds: number;
  /** One value for each bucket, oldest first. */
  readonly series: Readonly<Record<HistoryKind, readonly number[]>>;
}

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

export type HistoryRecords = ReturnType<typeof historyOn>;

/** Older history has one row for each day, at midnight UTC, in place of one for each hour. */
export const hourlyDays = 15;

const hour = 3_600;
const mostBuckets = 400;

interface BucketRow {
  readonly bucket: number;
  readonly drifted: number;
  readonly changes: number;
  readonly checks: number;
  readonly rate_limited: number;
}

export function historyOn(db: StoreDb, bounded: BoundedRead) {
  return {
    /** Hosts that differed (the most at one time in each bucket), changes, checks, and answers 429. */
    async read(query: HistoryQuery): Promise<HistorySeries> {
      const bucketSeconds = Math.max(1, Math.ceil(query.bucketSeconds / hour)) * hour;
      const buckets = Math.min(Math.max(1, Math.trunc(query.buckets)), mostBuckets);
      const start = Math.floor(query.from.getTime() / 1_000 / hour) * hour;
      const { rows } = await bounded((reader) =>
        sql<BucketRow>`
        select floor((extract(epoch from at) - ${start}::bigint) / ${bucketSeconds}::bigint)::integer as bucket,
          max(drifted)::integer as drifted, sum(changes)::integer as changes, sum(checks)::integer as checks,
          sum(rate_limited)::integer as rate_limited
        from (
          select at, sum(drifted) as drifted, sum(changes) as changes, sum(checks) as checks,
            sum(rate_limited) as rate_limited
          from rampart_server.history
          where at >= to_timestamp(${start}::bigint) and at < to_timestamp(${start + bucketSeconds * buckets}::bigint)
            and ${visibleRows(query.visible, sql`account`)}
            and ${ifGiven(query.account, (account) => sql`account = ${account}`)}
          group by at
        ) as hours group by 1
      `.execute(reader),
      );
      const byBucket = new Map(rows.map((row) => [row.bucket, row]));
      const valuesOf = (name: Exclude<keyof BucketRow, 'bucket'>) =>
        Array.from({ length: buckets }, (_, bucket) => byBucket.get(bucket)?.[name] ?? 0);
      return {
        from: new Date(start * 1_000),
        bucketSeconds,
        series: {
          drifted: valuesOf('drifted'),
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
