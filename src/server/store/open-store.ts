import { sql } from 'kysely';
import type { Visible } from '../../api/access/grants.ts';
import type { AuditEntry } from '../../run/state/audit/audit-record.ts';
import type { CoveredStore } from '../../run/state/audit/covers.ts';
import { auditAtEnd, inTransaction } from '../../run/state/postgres/in-transaction.ts';
import { migrateForward } from '../../run/state/postgres/migrate-forward.ts';
import { postgresRollouts } from '../../run/state/postgres/postgres-rollouts.ts';
import type { RolloutStore } from '../../run/state/rollout/rollout-store.ts';
import { type Accounts, accountsOn } from '../accounts/records/accounts.ts';
import { type Causes, causesOn } from '../accounts/records/causes.ts';
import { type HistoryRecords, historyOn } from '../accounts/records/history.ts';
import { type OverviewCounts, readOverview } from '../accounts/records/overview.ts';
import { type Pauses, pausesOn } from '../accounts/records/pauses.ts';
import { type ReadTimeline, timelineOn } from '../accounts/records/timeline.ts';
import { coveredStoreOn } from '../audit/records/covered-store.ts';
import { boundedRead } from '../database/bounded-read.ts';
import { type Idempotency, idempotencyOn } from '../database/idempotency.ts';
import { storeMigrations } from '../database/migrations.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import type { StoreDb } from '../database/tables.ts';
import { type Events, eventsOn } from '../events/records/events.ts';
import { type Hosts, hostsOn } from '../hosts/records/hosts.ts';
import { type Ignores, ignoresOn } from '../hosts/records/ignores.ts';
import { type Notifications, notificationsOn } from '../notifications/records/notifications.ts';
import { type Plans, plansOn } from '../plans/records/plans.ts';
import { type Rehearsals, rehearsalsOn } from '../plans/records/rehearsals.ts';
import { type RolloutAccounts, rolloutAccountsOn } from '../rollouts/records/rollout-accounts.ts';
import { type Runs, runsOn } from '../runs/records/runs.ts';
import { type Sessions, sessionsOn } from '../sign-in/records/sessions.ts';
import { type Tickets, ticketsOn } from '../sign-in/records/tickets.ts';
import { type Tokens, tokensOn } from '../sign-in/records/tokens.ts';
import { type SourceRecords, sourcesOn } from '../sources/records/sources.ts';
import { type PrunedRows, pruneStore, vacuumStore } from './prune.ts';

/**
 * The data of the server: accounts as the last checks left them, plans, runs and people's decisions. Its methods reject
 * only if the database fails; `databaseProblem` describes that failure. A list rejects no cursor: a wrong one is a
 * problem in its result.
 */
export interface Store {
  readonly accounts: Accounts;
  readonly hosts: Hosts;
  readonly causes: Causes;
  readonly plans: Plans;
  readonly rehearsals: Rehearsals;
  readonly runs: Runs;
  readonly rolloutAccounts: RolloutAccounts;
  /** The rollouts of the shared state, which is in the same database. Rejects if the database fails. */
  readonly rollouts: RolloutStore;
  /** Appends to the audit log of the shared state, at the end of this transaction. */
  audit(entries: readonly AuditEntry[]): void;
  /** Its plans and decisions, as the audit log covers them. */
  readonly covered: CoveredStore;
  readonly events: Events;
  readonly pauses: Pauses;
  readonly ignores: Ignores;
  readonly sources: SourceRecords;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  readonly tickets: Tickets;
  readonly idempotency: Idempotency;
  readonly notifications: Notifications;
  readonly history: HistoryRecords;
  /** What happened to an account. */
  readonly timeline: ReadTimeline;
  overview(visible: Visible): Promise<OverviewCounts>;
  /** Removes what is older than the retention, and what has expired. */
  prune(retentionMs: number): Promise<PrunedRows>;
  vacuum(): Promise<void>;
  /** Creates the tables, or updates them. Returns the versions that were applied now. */
  migrate(): Promise<readonly string[]>;
  /**
   * Everything that `work` does through the given store commits together, or not at all. Inside, only that store may be
   * used: on the embedded database, another one would wait for this transaction forever. It is repeated after a
   * deadlock, so it may change nothing else.
   */
  transaction<T>(work: (store: Store) => Promise<T>): Promise<T>;
  /** The connection, or the transaction, for a queue that takes part in it. */
  readonly db: StoreDb;
}

/** `reported`: the sources whose forge gets the states of plans. */
export function openStore(database: StoreDatabase, reported: ReadonlySet<string> = new Set()): Store {
  const db: StoreDb = database.db.$extendTables();
  const { notifier, isEmbedded } = database;
  return storeOn(db, { notifier, isEmbedded, reported });
}

interface Traits extends Pick<StoreDatabase, 'notifier'> {
  readonly isEmbedded: boolean | undefined;
  readonly reported: ReadonlySet<string>;
}

function storeOn(db: StoreDb, traits: Traits): Store {
  const bounded = boundedRead(db, traits.isEmbedded);
  return {
    accounts: accountsOn(db),
    hosts: hostsOn(db, bounded),
    causes: causesOn(db),
    plans: plansOn(db, traits.reported),
    rehearsals: rehearsalsOn(db),
    runs: runsOn(db),
    rolloutAccounts: rolloutAccountsOn(db),
    rollouts: postgresRollouts({ db, place: 'the database' }),
    audit: (entries) => auditAtEnd(db, entries),
    covered: coveredStoreOn(db),
    events: eventsOn(db, traits.notifier),
    pauses: pausesOn(db),
    ignores: ignoresOn(db),
    sources: sourcesOn(db),
    sessions: sessionsOn(db),
    tokens: tokensOn(db),
    tickets: ticketsOn(db),
    idempotency: idempotencyOn(db),
    notifications: notificationsOn(db),
    history: historyOn(db, bounded),
    overview: (visible) => readOverview(db, visible),
    timeline: timelineOn(db),
    prune: (retentionMs) => pruneStore(db, retentionMs),
    vacuum: () => vacuumStore(db),
    migrate: () => migrateStore(db),
    transaction: (work) => inTransaction(db, (transaction) => work(storeOn(transaction, traits))),
    db,
  };
}

/** Creates the server's tables, or updates them. Returns the versions that were applied now. */
async function migrateStore(db: StoreDb): Promise<readonly string[]> {
  const applied = await migrateForward(db, { schema: 'rampart_server', migrations: storeMigrations });
  // Events of a backup have the numbers of transactions of another server, which may be far ahead of those of this one.
  await sql`delete from rampart_server.event where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(
    db,
  );
  return applied;
}
