import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Visible } from '../../../api/access/grants.ts';
import type { DriftRow } from '../../../api/accounts.ts';
import type { Facets, HostListRow } from '../../../api/hosts.ts';
import type { Result } from '../../../core/problem/problem.ts';
import type { BoundedRead } from '../../database/bounded-read.ts';
import { nameKey } from '../../database/name-key.ts';
import {
  type ListPage,
  mapPage,
  type PageRequest,
  pageLimit,
  readCursor,
  toListPage,
} from '../../database/page.ts';
import { ifGiven, type StoreDb, visibleRows } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';
import { attributePage } from './attribute-pages.ts';
import { conditionsOf, type HostFilter } from './host-filter.ts';
import { matchOf } from './host-search.ts';

/** `seen_at` is when the fleet of its account was last read. */
export type HostRecord = Stored<HostListRow, 'seen_at'>;

export interface HostWithFacts extends HostRecord {
  readonly facts: Readonly<Record<string, string | number | boolean | null>>;
}

export type HostQuery = HostFilter & PageRequest;

export type DriftRecord = Stored<DriftRow, 'since'>;

export interface DriftQuery extends PageRequest {
  readonly account?: string | undefined;
  readonly cause?: string | undefined;
  readonly hostIds?: readonly string[] | undefined;
  readonly attribute?: string | undefined;
  readonly ignored?: boolean | undefined;
}

const columns = sql`host.account, host.host_id, host.name, host.group_name as "group", host.state,
  host.drifted, account.seen_at`;

const hostsWithFacts = sql`select ${columns}, coalesce(host.facts, '{}'::jsonb) as facts
  from rampart_server.host join rampart_server.account on account.name = host.account`;

/** The number of the condition that the last host matched, and the values by which hosts are ordered. */
const hostCursor = z.tuple([z.int().min(0).max(2), z.string(), z.string(), z.string()]);

interface HostRow extends HostWithFacts {
  readonly part: number;
  readonly key: string;
}

export function hostsOn(db: StoreDb, bounded: BoundedRead) {
  return {
    /** Over all accounts, by name; those whose name begins with the text of the search come first. */
    async list(query: HostQuery): Promise<Result<ListPage<HostRecord>>> {
      const cursor = readCursor(query.cursor, hostCursor);
      if (!cursor.ok) return cursor;
      const limit = pageLimit(query.limit);
      const rows = await bounded((reader) => readRows(reader, query, cursor.value, limit + 1));
      const page = toListPage(rows, limit, ({ part, key, account, host_id }) => [
        part,
        key,
        account,
        host_id,
      ]);
      return mapPage(page, ({ part: _part, key: _key, facts, ...host }) => ({
        ...host,
        matched: matchOf({ ...host, hostId: host.host_id, facts }, query.text),
      }));
    },

    facets: (filter: HostFilter): Promise<Facets> => bounded((reader) => readFacets(reader, filter)),

    async find(account: string, hostId: string, visible: Visible): Promise<HostWithFacts | undefined> {
      const { rows } = await sql<HostWithFacts>`
        ${hostsWithFacts}
        where host.account = ${account} and host.host_id = ${hostId} and ${visibleRows(visible, sql`host.account`)}
      `.execute(db);
      return rows[0];
    },

    /** Equal for the same hosts with the same values; null before the first read of the account. */
    async digest(account: string): Promise<string | null> {
      const { rows } = await sql<{ digest: string | null }>`
        select fleet_digest as digest from rampart_server.account where name = ${account}
      `.execute(db);
      return rows[0]?.digest ?? null;
    },

    /** All hosts of one account, at most `limit`. */
    async all(account: string, limit: number): Promise<readonly HostWithFacts[]> {
      const { rows } = await sql<HostWithFacts>`
        ${hostsWithFacts}
        where host.account = ${account} order by host.host_id limit ${limit}
      `.execute(db);
      return rows;
    },

    /** The hosts of one account with exactly these names. */
    async named(account: string, names: readonly string[]): Promise<readonly HostWithFacts[]> {
      if (names.length === 0) return [];
      const { rows } = await sql<HostWithFacts>`
        ${hostsWithFacts}
        where host.account = ${account} and host.key in (${sql.join(names.map(nameKey))})
          and host.name in (${sql.join(names)})
      `.execute(db);
      return rows;
    },

    /** By account, host and attribute. */
    drift(query: DriftQuery): Promise<Result<ListPage<DriftRecord>>> {
      return attributePage(db, query, {
        from: sql`
          select account, host_id, name, attribute, desired, last, live, changed, since, cause, ignored
          from rampart_server.drift`,
        where: sql`${ifGiven(query.cause, (cause) => sql`cause = ${cause}`)}
          and ${ifGiven(query.hostIds, (ids) => sql`host_id = any(${ids}::text[])`)}
          and ${ifGiven(query.attribute, (attribute) => sql`attribute = ${attribute}`)}
          and ${ifGiven(query.ignored, (ignored) => sql`ignored = ${ignored}`)}`,
      });
    },
  };
}

/**
 * A walk along the names finds a page of a text that many hosts contain, and the index of texts finds one that few
 * contain: it returns all of them, in no order. A sample of the hosts shows which of the two a text is.
 */
const sampledBlocks = 30;
const commonPercent = 2;
const longestWalk = 20_000;

/** The hosts that meet the first condition, then those of the next one, until there are enough. */
async function readRows(
  reader: StoreDb,
  query: HostQuery,
  after: z.infer<typeof hostCursor> | undefined,
  most: number,
): Promise<readonly HostRow[]> {
  const [from, ...last] = after ?? [0];
  const found: HostRow[] = [];
  for (const [part, { where, walk }] of conditionsOf(query).entries()) {
    if (part < from || found.length === most) continue;
    const left = most - found.length;
    const isAfter =
      part === from && after !== undefined
        ? sql`(host.key, host.account, host.host_id) > (${sql.join(last)})`
        : sql`true`;
    const byName = sql`order by host.key, host.account, host.host_id`;
    // Only columns of an index are read of those that are passed.
    const rowsOf = async (hosts: RawBuilder<unknown>) => {
      const { rows } = await sql<HostRow>`
        with ${hosts}
        select ${columns}, coalesce(host.facts, '{}'::jsonb) as facts, host.key, ${part}::integer as part
        from found join rampart_server.host on host.account = found.account and host.host_id = found.host_id
          join rampart_server.account on account.name = host.account
        ${byName}
      `.execute(reader);
      return rows;
    };
    const first = sql`select host.key, host.account, host.host_id from`;
    if (walk === undefined) {
      found.push(
        ...(await rowsOf(sql`found as materialized (
          ${first} rampart_server.host where ${where} and ${isAfter} ${byName} limit ${left}
        )`)),
      );
      continue;
    }
    const walked = (await isCommon(reader, walk.each))
      ? await rowsOf(sql`found as materialized (
          ${first} (
            select host.key, host.account, host.host_id, host.search_text from rampart_server.host
            where ${walk.among} and ${isAfter} ${byName} limit ${longestWalk}
          ) as host where ${walk.each} ${byName} limit ${left}
        )`)
      : [];
    found.push(
      ...(walked.length === left
        ? walked
        : await rowsOf(sql`matching as materialized (
            ${first} rampart_server.host where ${where} and ${isAfter}
          ),
          found as materialized (${first} matching as host ${byName} limit ${left})`)),
    );
  }
  return found;
}

/** Do many hosts meet this? */
async function isCommon(reader: StoreDb, condition: RawBuilder<unknown>): Promise<boolean> {
  const { rows } = await sql<{ readonly isCommon: boolean | null }>`
    select 100 * count(*) filter (where ${condition}) > ${commonPercent} * count(*) as "isCommon"
    from rampart_server.host tablesample system (least(100, ${100 * sampledBlocks} * current_setting('block_size')::float
      / greatest(1, pg_relation_size('rampart_server.host'))))
  `.execute(reader);
  return rows[0]?.isCommon === true;
}

interface CountedHosts extends Facets {
  /** At most `mostHosts`, as `drifted`. */
  readonly total: number;
}

/** Counting more hosts would take longer than a person waits. */
const mostHosts = 10_000;
const mostValues = 50;

async function readFacets(db: StoreDb, filter: HostFilter): Promise<Facets> {
  const parts = conditionsOf(filter).map(
    ({ where }) => sql`select account, group_name, state from rampart_server.host where ${where}`,
  );
  // The few hosts that differ have an index of their own. Among the counted ones there may be none of them.
  const differing = conditionsOf({ ...filter, drifted: true }).map(
    ({ where }) => sql`select from rampart_server.host where ${where}`,
  );
  const valuesOf = (column: string) => sql`(
    select coalesce(jsonb_agg(jsonb_build_object('value', value, 'hosts', hosts) order by hosts desc, value), '[]')
    from (
      select ${sql.raw(column)} as value, count(*) as hosts from found where ${sql.raw(column)} is not null
      group by 1 order by 2 desc, 1 limit ${mostValues}
    ) as counted
  )`;
  const { rows } = await sql<CountedHosts>`
    with found as materialized (
      select * from (${sql.join(parts, sql` union all `)}) as hosts limit ${mostHosts}
    )
    select ${valuesOf('account')} as accounts, ${valuesOf('group_name')} as groups, ${valuesOf('state')} as states,
      ${
        filter.drifted === false
          ? sql`0`
          : sql`(select count(*)::integer from (
              select from (${sql.join(differing, sql` union all `)}) as hosts limit ${mostHosts}
            ) as differing)`
      } as drifted, (select count(*)::integer from found) as total
  `.execute(db);
  const counted = rows[0] as CountedHosts;
  return { ...counted, is_complete: counted.total < mostHosts };
}
