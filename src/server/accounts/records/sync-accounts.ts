import { sql } from 'kysely';
import { jsonRows } from '../../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from '../../database/query.ts';
import { changeAndAnnounce } from '../../events/records/append-events.ts';
import { type ConfiguredAccount, severityOf } from './account-record.ts';

/**
 * Makes the accounts of the store those of the configuration. The data about an account's hosts is removed with the
 * account, and also if its name is given to another tenant, which inherits no hold and no ignored difference. The open
 * plan is decided about before.
 */
export async function syncAccounts(db: StoreDb, configured: readonly ConfiguredAccount[]): Promise<void> {
  await changeAndAnnounce(
    db,
    sql<{ name: string }>`
      with given as materialized (
        select * from ${jsonRows(configured, 'name text, "companyId" text, service text, labels jsonb, mode text')}
      ),
      old as materialized (
        select account.name, removed_at, given.name is null as is_removed,
          given.name is not null and (company_id, account.service) is distinct from ("companyId", given.service)
            as is_another
        from rampart_server.account left join given on given.name = account.name collate "C"
      ),
      stale as (select name from old where (is_removed and removed_at is null) or is_another),
      no_hosts as (delete from rampart_server.host where account in (select name from stale)),
      no_drift as (delete from rampart_server.drift where account in (select name from stale)),
      no_causes as (delete from rampart_server.account_cause where account in (select name from stale)),
      no_ignores as (
        delete from rampart_server.ignored_drift where account in (select name from old where is_another)
      ),
      gone as (
        update rampart_server.account set removed_at = clock_timestamp(), health = null, severity = ${severityOf(null)}, since = null,
          hosts = null, drifted = null, fleet_digest = null, drift_digest = null, seen_at = null,
          last_check_at = null, next_check_at = null, failure = null, detail = null, version = version + 1
        where name in (select name from old where is_removed and removed_at is null)
        returning name
      ),
      put as (
        insert into rampart_server.account as known (name, company_id, service, labels, mode)
        select name, "companyId", service, labels, mode from given
        on conflict (name) do update set company_id = excluded.company_id, service = excluded.service,
          labels = excluded.labels, mode = excluded.mode, removed_at = null,
          version = known.version + 1,
          (health, severity, since, hosts, drifted, fleet_digest, drift_digest, seen_at, last_check_at,
            next_check_at, failure, detail, hold) = (
            select known.health, known.severity, known.since, known.hosts, known.drifted, known.fleet_digest,
              known.drift_digest, known.seen_at, known.last_check_at, known.next_check_at, known.failure, known.detail,
              known.hold
            where (known.company_id, known.service) is not distinct from (excluded.company_id, excluded.service)
            union all
            select null, ${severityOf(null)}::integer, null, null, null, null, null, null, null, null, null, null,
              null
            where (known.company_id, known.service) is distinct from (excluded.company_id, excluded.service)
          )
        where known.removed_at is not null
          or (known.company_id, known.service, known.labels, known.mode) is distinct from
            (excluded.company_id, excluded.service, excluded.labels, excluded.mode)
        returning name
      )
      select name from gone union all select name from put order by name
    `,
    (rows) => rows.map(({ name }) => ({ type: 'account.changed', account: name })),
  );
}
