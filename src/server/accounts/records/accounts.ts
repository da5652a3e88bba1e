import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { z } from 'zod';
import type { Visible } from '../../../api/access/grants.ts';
import type { Health } from '../../../api/accounts.ts';
import { batchCalls } from '../../../core/lib/batch-calls.ts';
import type { Result } from '../../../core/problem/problem.ts';
import { jsonRows, toJson } from '../../../run/state/postgres/in-transaction.ts';
import { literally, nameKey } from '../../database/name-key.ts';
import { type ListPage, type PageRequest, pageLimit, readCursor, toListPage } from '../../database/page.ts';
import {
  ifGiven,
  type StoreDb,
  statesOfOpenPlans,
  statesOfOpenRuns,
  visibleRows,
} from '../../database/query.ts';
import { changeAndAnnounce } from '../../events/records/append-events.ts';
import type { AccountHold, StandingFailure } from '../decisions/account-state.ts';
import type { WaitingAccounts } from '../decisions/waiting-for.ts';
import {
  type AccountRecord,
  type ConfiguredAccount,
  type FoundAccount,
  severityOf,
} from './account-record.ts';
import type { CheckRecord, CheckWritten } from './check-record.ts';
import { confirmChecks, type SuccessfulCheck } from './confirm-checks.ts';
import { holdsNow } from './pauses.ts';
import { recordCheck } from './record-check.ts';
import { syncAccounts } from './sync-accounts.ts';

export interface AccountQuery extends PageRequest {
  /** Part of the name. */
  readonly text?: string | undefined;
  /** The names that a label expression selects; the caller evaluates it. */
  readonly names?: readonly string[] | undefined;
  /** `unchecked` selects the accounts without a health. */
  readonly health?: readonly (Health | 'unchecked')[] | undefined;
  /** The id of a cause that concerns them. */
  readonly cause?: string | undefined;
}

/** A statement for several checks costs the database little more than one for one, and nobody waits for a check. */
const confirmMs = 4;

/** What a tick needs to decide which accounts are due. */
export interface AccountSchedule {
  readonly name: string;
  readonly lastCheckAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly failure: StandingFailure | null;
  readonly health: Health | null;
  /** The time of the database when this was read: the clock of a scheduler may be ahead. */
  readonly readAt: Date;
}

export function accountsOn(db: StoreDb) {
  const confirm = batchCalls(
    (checks: readonly SuccessfulCheck[]) => confirmChecks(db, checks),
    () => pause(confirmMs),
  );
  const findAny = batchCalls(async (names: readonly string[]) => {
    const { rows } = await sql<FoundAccount>`
      select ${accountColumns}, clock_timestamp() as "readAt",
        exists (select from rampart_server.pause where ${holdsNow}) as "hasPauses"
      from ${accountTables}
      where account.name = any(${names}::text[]) and account.removed_at is null
    `.execute(db);
    const found = new Map(rows.map((account) => [account.name, account]));
    return names.map((name) => found.get(name));
  });
  return {
    /** Makes the accounts of the store those of the configuration. The removed ones are no longer listed. */
    sync: (configured: readonly ConfiguredAccount[]): Promise<void> => syncAccounts(db, configured),

    /** Worst health first, then by name. */
    async list(query: AccountQuery): Promise<Result<ListPage<AccountRecord>>> {
      const cursor = readCursor(query.cursor, z.tuple([z.int().min(0).max(100), z.string()]));
      if (!cursor.ok) return cursor;
      const limit = pageLimit(query.limit);
      const { rows } = await sql<AccountRecord>`
        select ${accountColumns} from ${accountTables}
        where account.removed_at is null and ${visibleRows(query.visible, sql`account.name`)}
          and ${ifGiven(cursor.value, (after) => sql`(account.severity, account.name) > (${after[0]}, ${after[1]})`)}
          and ${ifGiven(query.text, (text) => sql`account.name ilike ${`%${literally(nameKey(text))}%`}`)}
          and ${ifGiven(query.names, (names) => visibleRows(names, sql`account.name`))}
          and ${ifGiven(query.health, (health) => sql`coalesce(account.health, 'unchecked') = any(${health}::text[])`)}
          and ${ifGiven(query.cause, hasCause)}
        order by account.severity, account.name limit ${limit + 1}
      `.execute(db);
      return toListPage(rows, limit, ({ health, name }) => [severityOf(health), name]);
    },

    /** Calls that arrive together become one statement. */
    async find(name: string, visible: Visible): Promise<FoundAccount | undefined> {
      return visible === 'all' || visible.includes(name) ? findAny(name) : undefined;
    },

    /**
     * Locks an account for a decision until the transaction ends. False if the account has changed since this version of it
     * was read, or is no longer configured.
     */
    async claim(name: string, version: number): Promise<boolean> {
      const { rows } = await sql`
        update rampart_server.account set version = version + 1
        where name = ${name} and version = ${version} and removed_at is null returning name
      `.execute(db);
      return rows.length > 0;
    },

    /**
     * Locks accounts until the end of a transaction that decides about several. Each decision also locks the audit log,
     * so a transaction that took one account after another would wait for someone who decides about one of them and
     * waits for the log.
     */
    async lock(names: readonly string[]): Promise<void> {
      await sql`
        select name from rampart_server.account where name = any(${names}::text[]) order by name for update
      `.execute(db);
    },

    /** What the last check left for the page of the account. */
    async detail(name: string, visible: Visible): Promise<unknown> {
      const { rows } = await sql<{ detail: unknown }>`
        select detail from rampart_server.account
        where name = ${name} and removed_at is null and ${visibleRows(visible, sql`name`)}
      `.execute(db);
      return rows[0]?.detail ?? undefined;
    },

    /** The accounts that wait, by what decides for whom they do. */
    async waiting(visible: Visible): Promise<readonly WaitingAccounts[]> {
      const { rows } = await sql<WaitingAccounts>`
        select case when plan.id is not null then jsonb_build_object('state', plan.state) end as plan,
          run.state as "runState", ${runWaitsFor} as "runWaitsFor", array_agg(account.name) as names
        from ${accountTables}
        where account.removed_at is null and account.health = 'waiting'
          and ${visibleRows(visible, sql`account.name`)}
        group by 1, 2, 3
      `.execute(db);
      return rows;
    },

    /**
     * The accounts that wait for the end of a pause or of a rollout: their run does, or they have an approved plan that
     * has no run and is not for a wave. Those with a failure wait for their next check.
     */
    async held(): Promise<readonly string[]> {
      const { rows } = await sql<{ readonly name: string }>`
        select run.account as name from rampart_server.run
        where run.state = 'queued' and ${runWaitsFor} = 'pause'
        union all
        select account.name from rampart_server.plan join rampart_server.account on account.name = plan.account
        where plan.state = 'approved' and account.failure is null
          and not exists (select from rampart_server.run
            where run.account = plan.account and run.state in (${statesOfOpenRuns}))
          and (select via from rampart_server.approval where approval.plan = plan.id
            order by at desc, subject_key desc limit 1) is distinct from 'rollout'
        order by name
      `.execute(db);
      return rows.map(({ name }) => name);
    },

    async schedules(): Promise<readonly AccountSchedule[]> {
      const { rows } = await sql<AccountSchedule>`
        select name, last_check_at as "lastCheckAt", next_check_at as "nextCheckAt", failure, health,
          clock_timestamp() as "readAt"
        from rampart_server.account where removed_at is null order by name
      `.execute(db);
      return rows;
    },

    /**
     * Writes what differs from the last check, and appends an event if people see a difference. Checks that come together
     * and found nothing new are one statement.
     */
    recordCheck: (check: CheckRecord): Promise<CheckWritten> => recordCheck(db, check, confirm),

    /** Sets the health between two checks: a run began, ended in doubt, and so on. */
    async setHealth(name: string, health: Health): Promise<void> {
      await changeAndAnnounce(
        db,
        sql`
          update rampart_server.account set health = ${health}, severity = ${severityOf(health)},
            since = clock_timestamp(), version = version + 1
          where name = ${name} and removed_at is null and health is distinct from ${health} returning name
        `,
        (rows) => rows.map(() => ({ type: 'account.changed', account: name, data: { health } })),
      );
    },

    /** Sets or, with null, ends what keeps mode `correct` from applying plans by itself. */
    async setHold(names: readonly string[], hold: AccountHold | null): Promise<void> {
      await sql`
        update rampart_server.account set hold = nullif(${toJson(hold)}, 'null'::jsonb), version = version + 1
        where name = any(${names}::text[])
          and hold is distinct from nullif(${toJson(hold)}, 'null'::jsonb)
      `.execute(db);
    },

    async setNextCheck(times: ReadonlyMap<string, Date | null>): Promise<void> {
      const rows = [...times].map(([name, at]) => ({ name, at }));
      await sql`
        update rampart_server.account set next_check_at = given.at
        from ${jsonRows(rows, 'name text, at timestamptz')}
        where account.name = given.name and account.next_check_at is distinct from given.at
      `.execute(db);
    },
  };
}

function hasCause(cause: string) {
  return sql`exists (select from rampart_server.account_cause as found
    where found.account = account.name and found.cause = ${cause})`;
}

/** The open plan and the active run of an account are at most one each, which their indexes hold. */
const accountTables = sql`rampart_server.account
  left join rampart_server.plan on plan.account = account.name and plan.state in (${statesOfOpenPlans})
  left join rampart_server.run on run.account = account.name and run.state in (${statesOfOpenRuns})`;

const runWaitsFor = sql`case when run.state = 'queued' then run.progress->'waits_for'->>'kind' end`;

const accountColumns = sql`account.name, account.company_id as "companyId", account.service, account.labels,
  account.mode, account.health, account.since,
  (account.health is not distinct from 'paused' and exists (select from rampart_server.drift
    where drift.account = account.name and drift.ignored)) as "hasIgnored", account.hosts, account.drifted,
  case when plan.id is not null then jsonb_build_object('id', plan.id, 'checksum', plan.checksum,
    'changes', plan.changes, 'irreversible', plan.irreversible, 'state', plan.state) end as plan,
  run.id as run, run.state as "runState", ${runWaitsFor} as "runWaitsFor", account.commit, account.last_check_at as "lastCheckAt", account.next_check_at as "nextCheckAt",
  account.failure, account.hold, account.check_began_at as "checkBeganAt", account.version`;
