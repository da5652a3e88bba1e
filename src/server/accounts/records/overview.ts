import { sql } from 'kysely';
import type { Visible } from '../../../api/access/grants.ts';
import type { Health } from '../../../api/accounts.ts';
import { healths } from '../../../api/accounts.ts';
import type { Overview } from '../../../api/overview.ts';
import { type StoreDb, visibleRows } from '../../database/query.ts';

/** The counts of the overview. Its lists are the first pages of causes, plans and runs. */
export interface OverviewCounts extends Readonly<Pick<Overview, CountName>> {
  /** The time of the database. */
  readonly at: Date;
  readonly drifted: number;
  readonly oldest_check: { readonly account: string; readonly at: Date } | null;
  /** Rows of tables without a match, and hosts without a match in a table. A row counts in each account. */
  readonly unmatched: { readonly assets: number; readonly hosts: number };
}

type CountName = 'accounts' | 'unchecked' | 'hosts' | 'health' | 'changed';

interface OverviewRow extends Omit<OverviewCounts, 'health' | 'oldest_check' | 'changed'> {
  readonly health: Readonly<Record<string, number>> | null;
  readonly oldestAccount: string | null;
  readonly oldestAt: Date | null;
  readonly changes: number;
  readonly changedAccounts: number;
}

/** One statement, so that the numbers agree with each other. */
export async function readOverview(db: StoreDb, visible: Visible): Promise<OverviewCounts> {
  const { rows } = await sql<OverviewRow>`
    with seen as materialized (
      select name, health, hosts, drifted, last_check_at from rampart_server.account
      where removed_at is null and ${visibleRows(visible, sql`name`)}
    ),
    oldest as (
      select name, last_check_at from seen where last_check_at is not null order by last_check_at, name limit 1
    ),
    changed as (
      select sum(changes) as changes, count(distinct account) as accounts from rampart_server.history
      where at > now() - interval '24 hours' and changes > 0 and ${visibleRows(visible, sql`account`)}
    )
    select clock_timestamp() as at, count(*)::integer as accounts,
      (count(*) filter (where health is null))::integer as unchecked,
      coalesce(sum(hosts), 0)::integer as hosts, coalesce(sum(drifted), 0)::integer as drifted,
      (select jsonb_object_agg(health, number) from (
        select health, count(*) as number from seen where health is not null group by health
      ) as by_health) as health,
      (select name from oldest) as "oldestAccount", (select last_check_at from oldest) as "oldestAt",
      coalesce((select changes from changed), 0)::integer as changes,
      (select accounts from changed)::integer as "changedAccounts",
      (select jsonb_build_object(
          'assets', coalesce(sum(account_cause.hosts) filter (where kind = 'assets'), 0),
          'hosts', coalesce(sum(account_cause.hosts) filter (where kind = 'register'), 0)
        ) from rampart_server.account_cause join rampart_server.cause on cause.id = account_cause.cause
        where kind in ('assets', 'register') and account in (select name from seen)) as unmatched
    from seen
  `.execute(db);
  const { health, oldestAccount, oldestAt, changes, changedAccounts, ...counts } = rows[0] as OverviewRow;
  return {
    ...counts,
    health: Object.fromEntries(healths.map((each) => [each, health?.[each] ?? 0])) as Record<Health, number>,
    oldest_check:
      oldestAccount === null || oldestAt === null ? null : { account: oldestAccount, at: oldestAt },
    changed: { changes, accounts: changedAccounts },
  };
}
