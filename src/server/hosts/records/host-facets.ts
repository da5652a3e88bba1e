import { sql } from 'kysely';
import type { StoreDb } from '../../database/tables.ts';
import { conditionsOf, type HostFilter } from './host-filter.ts';

export interface HostFacet {
  readonly value: string;
  readonly hosts: number;
}

/** How many hosts of a search have each value. */
export interface HostFacets {
  readonly accounts: readonly HostFacet[];
  readonly groups: readonly HostFacet[];
  readonly states: readonly HostFacet[];
  /** At most 10,000, and exact below that, however many hosts the search finds. */
  readonly drifted: number;
  readonly total: number;
  /** False if there are more hosts than were counted: then the other numbers are those of the counted ones. */
  readonly isComplete: boolean;
}

/** Counting more hosts would take longer than a person waits. */
const mostHosts = 10_000;
const mostValues = 50;

export async function readFacets(db: StoreDb, filter: HostFilter): Promise<HostFacets> {
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
  const { rows } = await sql<Omit<HostFacets, 'isComplete'>>`
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
  const counted = rows[0] as Omit<HostFacets, 'isComplete'>;
  return { ...counted, isComplete: counted.total < mostHosts };
}
