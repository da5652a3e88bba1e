import { sql } from 'kysely';
import type { Subject, Visible } from '../../../api/access/grants.ts';
import type { Ignore } from '../../../api/ignores.ts';
import type { Result } from '../../../core/problem/problem.ts';
import { jsonRows, toJson } from '../../../run/state/postgres/in-transaction.ts';
import type { ListPage, PageRequest } from '../../database/page.ts';
import { type StoreDb, visibleRows } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';
import { attributePage } from './attribute-pages.ts';

/** A difference that a person decided to ignore until a time. */
export type IgnoreRecord = Stored<Ignore, 'at' | 'until'>;

/** An ignored difference, and its value in the fleet when someone decided to ignore it. */
export interface IgnoredDrift extends Pick<IgnoreRecord, 'attribute' | 'live'> {
  readonly hostId: string;
}

/** The differences to ignore: those named, or all of a cause. */
export interface NewIgnore {
  readonly account: string;
  readonly differences?: readonly { readonly hostId: string; readonly attribute: string }[] | undefined;
  readonly cause?: string | undefined;
  readonly reason: string;
  readonly by: Subject;
  readonly until: Date;
}

const columns = sql`id, account, host_id, name, attribute, live, reason, "by", at, until`;

export function ignoresOn(db: StoreDb) {
  return {
    /** Those that have not ended, by account, host and attribute. */
    list(
      query: PageRequest & { readonly account?: string | undefined },
    ): Promise<Result<ListPage<IgnoreRecord>>> {
      return attributePage<IgnoreRecord>(db, query, {
        from: sql`select ${columns} from rampart_server.ignored_drift`,
        where: sql`until > clock_timestamp()`,
      });
    },

    /** All of an account that have not ended. */
    async of(account: string): Promise<readonly IgnoredDrift[]> {
      const { rows } = await sql<IgnoredDrift>`
        select host_id as "hostId", attribute, live from rampart_server.ignored_drift
        where account = ${account} and until > clock_timestamp()
      `.execute(db);
      return rows;
    },

    /** The accounts in which a decision ended after their last check. */
    async ended(): Promise<readonly string[]> {
      const { rows } = await sql<{ name: string }>`
        select distinct account.name from rampart_server.ignored_drift
        join rampart_server.account on account.name = ignored_drift.account
        where account.removed_at is null and until <= clock_timestamp() and until > account.last_check_at
        order by account.name
      `.execute(db);
      return rows.map(({ name }) => name);
    },

    /** Ignores differences that the last check found. Returns how many there are; an earlier decision is replaced. */
    async add({ account, differences, cause, reason, by, until }: NewIgnore): Promise<number> {
      const isWanted =
        differences === undefined
          ? sql`drift.cause = ${cause ?? ''}`
          : sql`exists (
              select from ${jsonRows(differences, '"hostId" text, attribute text')}
              where given."hostId" = drift.host_id and given.attribute = drift.attribute
            )`;
      const { rows } = await sql<{ added: number }>`
        with put as (
          insert into rampart_server.ignored_drift
            (id, account, host_id, name, attribute, live, reason, "by", until)
          select gen_random_uuid()::text, account, host_id, name, attribute, live, ${reason}, ${toJson(by)},
            ${until.toISOString()}::timestamptz
          from rampart_server.drift where account = ${account} and ${isWanted}
          on conflict (account, host_id, attribute) do update set name = excluded.name, live = excluded.live,
            reason = excluded.reason, "by" = excluded."by", until = excluded.until, at = clock_timestamp()
          returning 1
        )
        select count(*)::integer as added from put
      `.execute(db);
      return rows[0]?.added ?? 0;
    },

    async find(id: string, visible: Visible): Promise<IgnoreRecord | undefined> {
      const { rows } = await sql<IgnoreRecord>`
        select ${columns} from rampart_server.ignored_drift
        where id = ${id} and until > clock_timestamp() and ${visibleRows(visible, sql`account`)}
      `.execute(db);
      return rows[0];
    },

    async remove(id: string): Promise<void> {
      await sql`delete from rampart_server.ignored_drift where id = ${id}`.execute(db);
    },
  };
}
