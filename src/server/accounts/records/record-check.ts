import { sql } from 'kysely';
import type { Health } from '../../../api/accounts.ts';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { inTransaction, jsonRows, toJson } from '../../../run/state/postgres/in-transaction.ts';
import { nameKey } from '../../database/name-key.ts';
import type { StoreDb } from '../../database/query.ts';
import { isTenantOf } from '../../database/tenant.ts';
import { appendEvents } from '../../events/records/append-events.ts';
import { searchText } from '../../hosts/records/host-search.ts';
import type { StandingFailure } from '../decisions/account-state.ts';
import { severityOf } from './account-record.ts';
import type { CheckedCause, CheckedDrift, CheckRecord, CheckWritten } from './check-record.ts';
import { isNewest, type SuccessfulCheck } from './confirm-checks.ts';

interface Before {
  readonly health: Health | null;
  readonly hosts: number | null;
  readonly drifted: number | null;
  readonly changes: number;
  readonly irreversible: number;
  readonly commit: string | null;
  readonly failure: StandingFailure | null;
  readonly fleet_digest: string | null;
  readonly drift_digest: string | null;
  readonly version: number;
  readonly now: Date;
}

/** Writes a check if it found the same as the last check of its account; false if it did not. */
export type ConfirmCheck = (check: SuccessfulCheck) => Promise<boolean>;

/**
 * Writes what differs from the last check of an account. Writes nothing if the account is no longer configured or now
 * belongs to another tenant, or if a check that began later, or this one, is already written, or if someone has decided
 * about the account since it was read.
 */
export async function recordCheck(
  db: StoreDb,
  check: CheckRecord,
  confirm: ConfirmCheck,
): Promise<CheckWritten> {
  const { fleet, failure } = check;
  const drift = fleet && unique(fleet.drift, (row) => `${row.hostId} ${row.attribute}`);
  const driftDigest = sha256Hex(JSON.stringify([drift, check.causes]));
  if (fleet !== undefined && failure === null && (await confirm({ check: { ...check, fleet }, driftDigest })))
    return nothing;
  return inTransaction(db, (transaction) => writeDifferences(transaction, check, drift, driftDigest));
}

const nothing: CheckWritten = { hosts: 0, drift: 0, causes: 0, changed: false };

const nextCheckOf = ({ nextCheckAt }: CheckRecord) => sql`${nextCheckAt?.toISOString() ?? null}::timestamptz`;

const beganAtOf = ({ beganAt }: CheckRecord) => sql`${beganAt?.toISOString() ?? null}::timestamptz`;

const detailOf = ({ detail }: CheckRecord) => sql`coalesce(nullif(${toJson(detail)}, 'null'::jsonb), detail)`;

/** Counts the check in the history of its account, if the statement before it, `checked`, found the account. */
const countChecked = ({ account, rateLimited = 0 }: CheckRecord) => sql`
  insert into rampart_server.history as old (at, account, drifted, checks, rate_limited)
  select date_trunc('hour', clock_timestamp(), 'UTC'), ${account}, coalesce(drifted, 0), 1, ${rateLimited} from checked
  on conflict (at, account) do update set drifted = excluded.drifted, checks = old.checks + 1,
    rate_limited = old.rate_limited + excluded.rate_limited`;

async function writeDifferences(
  transaction: StoreDb,
  check: CheckRecord,
  drift: readonly CheckedDrift[] | undefined,
  driftDigest: string,
): Promise<CheckWritten> {
  const before = await lockAccount(transaction, check);
  if (before === undefined) return nothing;
  if (check.version !== undefined && before.version !== check.version)
    return { ...nothing, isOutdated: true };
  const { fleet } = check;
  const drifted = drift && new Set(drift.filter(({ ignored }) => !ignored).map(({ hostId }) => hostId)).size;
  const hostsDiffer = fleet !== undefined && fleet.digest !== before.fleet_digest;
  const driftDiffers = driftDigest !== before.drift_digest;
  const hosts = hostsDiffer ? await writeHosts(transaction, check.account, fleet) : 0;
  const causes = driftDiffers ? await writeCauses(transaction, check, drift) : 0;
  const written = driftDiffers && drift ? await writeDrift(transaction, check.account, drift) : 0;
  if (hosts + written > 0) await markDrifted(transaction, check.account);
  const failure = standing(check, before);
  const changed =
    hosts + causes + written > 0 ||
    before.health !== check.health ||
    before.changes !== check.changes ||
    before.irreversible !== check.irreversible ||
    before.commit !== check.commit ||
    before.failure?.message !== failure?.message ||
    before.failure?.retryAt !== failure?.retryAt;
  await sql`
    with checked as (
      update rampart_server.account set
        since = case when health = ${check.health} then since else clock_timestamp() end,
        health = ${check.health}, severity = ${severityOf(check.health)},
        hosts = coalesce(${fleet?.count ?? null}::integer, hosts),
        drifted = coalesce(${drifted ?? null}::integer, drifted),
        changes = ${check.changes}, irreversible = ${check.irreversible}, commit = ${check.commit},
        last_check_at = clock_timestamp(), next_check_at = ${nextCheckOf(check)},
        check_began_at = coalesce(${beganAtOf(check)}, check_began_at),
        seen_at = case when ${fleet !== undefined} then clock_timestamp() else seen_at end,
        failure = nullif(${toJson(failure)}, 'null'::jsonb),
        fleet_digest = coalesce(${fleet?.digest ?? null}, fleet_digest), drift_digest = ${driftDigest},
        detail = ${detailOf(check)}, version = version + ${changed ? 1 : 0}
      where name = ${check.account}
      returning drifted
    )
    ${countChecked(check)}
  `.execute(transaction);
  if (changed)
    await appendEvents(transaction, [
      {
        type: 'account.changed',
        account: check.account,
        data: { health: check.health, drifted: drifted ?? before.drifted },
      },
    ]);
  const healthChange = { from: before.health, to: check.health, failure: failure?.message ?? null };
  return {
    hosts,
    drift: written,
    causes,
    changed,
    ...(healthChange.from === healthChange.to ? {} : { healthChange }),
  };
}

/** Two checks of one account write one after the other. */
async function lockAccount(transaction: StoreDb, check: CheckRecord): Promise<Before | undefined> {
  const { rows } = await sql<Before>`
    select health, hosts, drifted, changes, irreversible, commit, failure, fleet_digest, drift_digest,
      version, clock_timestamp() as now
    from rampart_server.account
    where name = ${check.account} and removed_at is null and ${isTenantOf(check.tenant)}
      and ${isNewest(beganAtOf(check))} for update
  `.execute(transaction);
  return rows[0];
}

/** The failure with the time of the first one in a row, and their number. */
function standing({ failure }: CheckRecord, { failure: earlier, now }: Before): StandingFailure | null {
  if (failure === null) return null;
  return {
    ...failure,
    since: earlier?.since ?? now.toISOString(),
    attempts: (earlier?.attempts ?? 0) + 1,
  };
}

async function writeHosts(
  transaction: StoreDb,
  account: string,
  { hosts, unreadable = [] }: NonNullable<CheckRecord['fleet']>,
): Promise<number> {
  const isReadable = unreadable === 'any' ? sql`false` : sql`host_id <> all(${unreadable}::text[])`;
  const rows = unique(hosts(), ({ hostId }) => hostId).map((host) => ({
    ...host,
    key: nameKey(host.name ?? ''),
    text: searchText(host),
  }));
  return countOf(
    transaction,
    sql`
      with given as materialized (
        select * from ${jsonRows(rows, '"hostId" text, name text, key text, "group" text, state text, facts jsonb, text text')}
      ),
      gone as (
        delete from rampart_server.host where account = ${account}
          and host_id not in (select "hostId" from given) and ${isReadable} returning 1
      ),
      put as (
        insert into rampart_server.host as old (account, host_id, name, key, group_name, state, facts, search_text)
        select ${account}, "hostId", name, key, "group", state, facts, text from given
        on conflict (account, host_id) do update set name = excluded.name, key = excluded.key,
          group_name = excluded.group_name, state = excluded.state, facts = coalesce(excluded.facts, old.facts), search_text = excluded.search_text
        where (old.name, old.group_name, old.state, old.facts, old.search_text) is distinct from (excluded.name,
          excluded.group_name, excluded.state, coalesce(excluded.facts, old.facts), excluded.search_text)
        returning 1
      )
      select (select count(*) from gone) + (select count(*) from put) as written
    `,
  );
}

/** Without `drift`, the fleet could not be read: the causes of the last drift are kept. */
async function writeCauses(
  transaction: StoreDb,
  { account, causes, origin }: CheckRecord,
  drift: readonly CheckedDrift[] | undefined,
): Promise<number> {
  const hostsOf = new Map<string, Set<string>>();
  const isOnlyIgnored = new Set((drift ?? []).map(({ cause }) => cause));
  for (const { cause, hostId, ignored } of drift ?? []) {
    if (ignored) continue;
    isOnlyIgnored.delete(cause);
    hostsOf.set(cause, (hostsOf.get(cause) ?? new Set()).add(hostId));
  }
  const rows = unique(causes, ({ id }) => id).map(({ place, count, ...cause }: CheckedCause) => ({
    ...cause,
    ...place,
    hosts: count ?? hostsOf.get(cause.id)?.size ?? 0,
  }));
  // Two checks that write the same causes in another order would wait for each other. A cause in several files has no
  // place.
  await sql`
    insert into rampart_server.cause as old (id, kind, title, rule, file, line, col)
    select id, kind, title, rule, file, line, "column" from ${jsonRows(rows, causeColumns)} order by id
    on conflict (id) do update
    set (file, line, col) = (select excluded.file, excluded.line, excluded.col where old.file = excluded.file)
    where old.file is not null and (old.file, old.line, old.col) is distinct from (excluded.file, excluded.line, excluded.col)
  `.execute(transaction);
  return countOf(
    transaction,
    sql`
      with given as materialized (
        select * from ${jsonRows(
          rows.filter(({ id }) => !isOnlyIgnored.has(id)),
          causeColumns,
        )}
      ),
      gone as (
        delete from rampart_server.account_cause as old using rampart_server.cause
        where old.account = ${account} and cause.id = old.cause and cause.id not in (select id from given)
          and (${drift !== undefined} or cause.kind = 'failure')
        returning 1
      ),
      put as (
        insert into rampart_server.account_cause as old (account, cause, hosts, origin)
        select ${account}, id, hosts, case when kind = 'file' then nullif(${toJson(origin)}, 'null'::jsonb) end
        from given
        on conflict (account, cause) do update set hosts = excluded.hosts where old.hosts <> excluded.hosts
        returning 1
      )
      select (select count(*) from gone) + (select count(*) from put) as written
    `,
  );
}

const causeColumns =
  'id text, kind text, title text, rule text, file text, line integer, "column" integer, hosts integer';

async function writeDrift(
  transaction: StoreDb,
  account: string,
  drift: readonly CheckedDrift[],
): Promise<number> {
  return countOf(
    transaction,
    sql`
      with given as materialized (
        select * from ${jsonRows(
          drift,
          `"hostId" text, attribute text, name text, desired text, last text, live text, changed text, cause text,
            ignored boolean`,
        )}
      ),
      gone as (
        delete from rampart_server.drift as old where account = ${account}
          and not exists (select from given where "hostId" = old.host_id and attribute = old.attribute)
        returning 1
      ),
      put as (
        insert into rampart_server.drift as old
          (account, host_id, attribute, name, desired, last, live, changed, cause, ignored)
        select ${account}, "hostId", attribute, name, desired, last, live, changed, cause, ignored from given
        on conflict (account, host_id, attribute) do update set name = excluded.name, desired = excluded.desired,
          last = excluded.last, live = excluded.live, changed = excluded.changed, cause = excluded.cause,
          ignored = excluded.ignored
        where (old.name, old.desired, old.last, old.live, old.changed, old.cause, old.ignored) is distinct from
          (excluded.name, excluded.desired, excluded.last, excluded.live, excluded.changed, excluded.cause,
            excluded.ignored)
        returning 1
      )
      select (select count(*) from gone) + (select count(*) from put) as written
    `,
  );
}

async function markDrifted(transaction: StoreDb, account: string): Promise<void> {
  await sql`
    update rampart_server.host set drifted = not drifted
    where account = ${account} and drifted <> exists (
      select from rampart_server.drift
      where drift.account = host.account and drift.host_id = host.host_id and not drift.ignored
    )
  `.execute(transaction);
}

async function countOf(transaction: StoreDb, query: ReturnType<typeof sql<unknown>>): Promise<number> {
  const { rows } = await query.execute(transaction);
  return Number((rows[0] as { readonly written: string }).written);
}

/** The last of those with the same key. */
function unique<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
