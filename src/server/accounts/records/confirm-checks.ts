import { type RawBuilder, sql } from 'kysely';
import { jsonRows } from '../../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from '../../database/query.ts';
import type { CheckRecord } from './check-record.ts';

/** A check that read the fleet and did not fail. */
export interface SuccessfulCheck {
  readonly check: CheckRecord & Required<Pick<CheckRecord, 'fleet'>>;
  readonly driftDigest: string;
}

/**
 * Writes, with one statement, the checks that found the same as the last check of their account, as most checks do.
 * Returns for each check whether it was one of them. An account that someone else is writing counts as changed, so that
 * no account waits for another one. Of several checks of one account, only the first can be one of them.
 */
export async function confirmChecks(
  db: StoreDb,
  checks: readonly SuccessfulCheck[],
): Promise<readonly boolean[]> {
  const firsts = new Map(checks.toReversed().map((each) => [each.check.account, each]));
  const given = [...firsts.values()].map(({ check, driftDigest }) => ({
    account: check.account,
    began: check.beganAt,
    anyone: check.tenant === undefined,
    company: check.tenant?.companyId,
    service: check.tenant?.service,
    version: check.version,
    health: check.health,
    changes: check.changes,
    irreversible: check.irreversible,
    commit: check.commit,
    fleet: check.fleet.digest,
    drift: driftDigest,
    next: check.nextCheckAt,
    limited: check.rateLimited ?? 0,
    detail: check.detail,
  }));
  // The planner knows the length of a list of names, and not that of JSON: for that, it would read all accounts.
  const isGiven = sql`account.name = any(${[...firsts.keys()]}::text[])`;
  const { rows } = await sql<{ name: string }>`
    with given as materialized (select * from ${jsonRows(given, columns)}),
    same as materialized (
      select account.name from rampart_server.account join given on given.account = account.name
      where ${isGiven} and account.removed_at is null and account.failure is null and account.health = given.health
        and account.version = coalesce(given.version, account.version)
        and account.changes = given.changes and account.irreversible = given.irreversible
        and account.commit is not distinct from given.commit
        and account.fleet_digest = given.fleet and account.drift_digest = given.drift
        and (given.anyone or (account.service = given.service and account.company_id is not distinct from given.company))
        and ${isNewest(sql`given.began`)}
      for no key update of account skip locked
    ),
    checked as (
      update rampart_server.account set last_check_at = clock_timestamp(), next_check_at = given.next,
        seen_at = clock_timestamp(), check_began_at = coalesce(given.began, check_began_at),
        detail = case when coalesce(given.detail, account.detail) = account.detail then account.detail
          else given.detail end
      from given, same
      where ${isGiven} and given.account = account.name and same.name = account.name
      returning account.name, account.drifted, given.limited
    ),
    counted as (
      insert into rampart_server.history as old (at, account, drifted, checks, rate_limited)
      select date_trunc('hour', clock_timestamp(), 'UTC'), name, coalesce(drifted, 0), 1, limited from checked
      on conflict (at, account) do update set drifted = excluded.drifted, checks = old.checks + 1,
        rate_limited = old.rate_limited + excluded.rate_limited
    )
    select name from checked
  `.execute(db);
  const confirmed = new Set(rows.map(({ name }) => name));
  return checks.map((each) => confirmed.has(each.check.account) && firsts.get(each.check.account) === each);
}

/** Whether no check is written that began at this time or later. A clock may have been set back. */
export function isNewest(began: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`(account.check_began_at is null or ${began} is null or account.check_began_at < ${began}
    or account.check_began_at > clock_timestamp())`;
}

const columns = `account text, began timestamptz, anyone boolean, company text, service text, version integer, health text, changes integer, irreversible integer, commit text, fleet text, drift text,
  next timestamptz, limited integer, detail jsonb`;
