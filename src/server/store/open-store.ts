import { sql } from 'kysely';
import type { Visible } from '../../api/access/grants.ts';
import type { AuditEntry } from '../../run/state/audit/audit-record.ts';
import { auditAtEnd, inTransaction } from '../../run/state/postgres/in-transaction.ts';
import { migrateForward } from '../../run/state/postgres/migrate-forward.ts';
import { postgresRollouts } from '../../run/state/postgres/postgres-rollouts.ts';
import { accountsOn } from '../accounts/records/accounts.ts';
import { causesOn } from '../accounts/records/causes.ts';
import { historyOn } from '../accounts/records/history.ts';
import { readOverview } from '../accounts/records/overview.ts';
import { pausesOn } from '../accounts/records/pauses.ts';
import { timelineOn } from '../accounts/records/timeline.ts';
import { coveredStoreOn } from '../audit/records/covered-store.ts';
import { boundedRead } from '../database/bounded-read.ts';
import { idempotencyOn } from '../database/idempotency.ts';
import { storeMigrations } from '../database/migrations.ts';
import type { StoreDb } from '../database/query.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import { eventsOn } from '../events/records/events.ts';
import { hostsOn } from '../hosts/records/hosts.ts';
import { ignoresOn } from '../hosts/records/ignores.ts';
import { notificationsOn } from '../notifications/records/notifications.ts';
import { plansOn } from '../plans/records/plans.ts';
import { rehearsalsOn } from '../plans/records/rehearsals.ts';
import { rolloutAccountsOn } from '../rollouts/records/rollout-accounts.ts';
import { runsOn } from '../runs/records/runs.ts';
import { sessionsOn } from '../sign-in/records/sessions.ts';
import { ticketsOn } from '../sign-in/records/tickets.ts';
import { tokensOn } from '../sign-in/records/tokens.ts';
import { sourcesOn } from '../sources/records/sources.ts';
import { pruneStore, vacuumStore } from './prune.ts';

/** `reported`: the sources whose forge gets the states of plans. */
export function openStore(database: StoreDatabase, reported: ReadonlySet<string> = new Set()): Store {
  const { db, notifier, isEmbedded } = database;
  return storeOn(db, { notifier, isEmbedded, reported });
}

interface Traits extends Pick<StoreDatabase, 'notifier'> {
  readonly isEmbedded: boolean | undefined;
  readonly reported: ReadonlySet<string>;
}

/**
 * The data of the server: accounts as the last checks left them, plans, runs and people's decisions. Its methods reject
 * only if the database fails; `databaseProblem` describes that failure. A list rejects no cursor: a wrong one is a
 * problem in its result.
 */
export interface Store extends Readonly<ReturnType<typeof recordsOn>> {
  /**
   * Everything that `work` does through the given store commits together, or not at all. Inside, only that store may be
   * used: on the embedded database, another one would wait for this transaction forever. It is repeated after a
   * deadlock, so it may change nothing else.
   */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>;
}

function storeOn(db: StoreDb, traits: Traits): Store {
  return {
    ...recordsOn(db, traits),
    transaction: (work) => inTransaction(db, (transaction) => work(storeOn(transaction, traits))),
  };
}

function recordsOn(db: StoreDb, { notifier, isEmbedded, reported }: Traits) {
  const bounded = boundedRead(db, isEmbedded);
  return {
    accounts: accountsOn(db),
    hosts: hostsOn(db, bounded),
    causes: causesOn(db),
    plans: plansOn(db, reported),
    rehearsals: rehearsalsOn(db),
    runs: runsOn(db),
    rolloutAccounts: rolloutAccountsOn(db),
    /** The rollouts of the shared state, which is in the same database. Rejects if the database fails. */
    rollouts: postgresRollouts({ db, place: 'the database' }),
    /** Appends to the audit log of the shared state, at the end of this transaction. */
    audit: (entries: readonly AuditEntry[]) => auditAtEnd(db, entries),
    /** Its plans and decisions, as the audit log covers them. */
    covered: coveredStoreOn(db),
    events: eventsOn(db, notifier),
    pauses: pausesOn(db),
    ignores: ignoresOn(db),
    sources: sourcesOn(db),
    sessions: sessionsOn(db),
    tokens: tokensOn(db),
    tickets: ticketsOn(db),
    idempotency: idempotencyOn(db),
    notifications: notificationsOn(db),
    history: historyOn(db, bounded),
    overview: (visible: Visible) => readOverview(db, visible),
    /** What happened to an account. */
    timeline: timelineOn(db),
    /** Removes what is older than the retention, and what has expired. Returns how many rows of each kind. */
    prune: (retentionMs: number) => pruneStore(db, retentionMs),
    vacuum: () => vacuumStore(db),
    /** Creates the tables, or updates them. Returns the versions that were applied now. */
    migrate: () => migrateStore(db),
    /** The connection, or the transaction, for a queue that takes part in it. */
    db,
  };
}

async function migrateStore(db: StoreDb): Promise<readonly string[]> {
  const applied = await migrateForward(db, { schema: 'rampart_server', migrations: storeMigrations });
  // Events of a backup have the numbers of transactions of another server, which may be far ahead of those of this one.
  await sql`delete from rampart_server.event where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(
    db,
  );
  return applied;
}
