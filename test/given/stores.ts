import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { migrate } from '../../src/run/state/postgres/migrations.ts';
import { openEmbeddedDatabase } from '../../src/server/database/embedded-database.ts';
import { openPostgresDatabase } from '../../src/server/database/postgres-database.ts';
import type { StoreDatabase } from '../../src/server/database/store-database.ts';
import { openStore, type Store } from '../../src/server/store/open-store.ts';
import { databaseWithTables, hasPostgres } from './postgres.ts';

/** A database for one test file, with the store's tables. */
export interface GivenStore {
  readonly store: Store;
  readonly database: StoreDatabase;
  /** A second process on the same database: another connection if it is a server. */
  readonly other: Store;
  run(sql: string): Promise<readonly Record<string, unknown>[]>;
  clear(): Promise<void>;
  stop(): Promise<void>;
}

export type StoreBackend = readonly [name: string, start: () => Promise<GivenStore>];

/** Every database that the store runs on. A server only if it is installed. */
export const storeBackends: readonly StoreBackend[] = [
  ['PGlite', startOnPglite],
  ...(!hasPostgres ? [] : [['PostgreSQL', startOnPostgres] as const]),
];

export async function startOnPglite(): Promise<GivenStore> {
  const opened = await openEmbeddedDatabase({ folder: null, version: '0.1.0' });
  if (!opened.ok) throw new Error(opened.problems[0]?.message);
  return givenOn(opened.value, opened.value, async () => {});
}

async function startOnPostgres(): Promise<GivenStore> {
  const url = databaseWithTables();
  const second = openPostgresDatabase(url);
  const given = await givenOn(openPostgresDatabase(url), second, async () => {
    await second.close();
  });
  const { events } = given.store;
  const after: typeof events.after = async (...asked) => {
    await othersEnd(given.run);
    return events.after(...asked);
  };
  const latest: typeof events.latest = async () => {
    await othersEnd(given.run);
    return events.latest();
  };
  return { ...given, store: { ...given.store, events: { ...events, after, latest } } };
}

/**
 * Waits until the transactions end that other test files have open on the shared server: while one is older than an event,
 * readers of events wait for it.
 */
async function othersEnd(run: GivenStore['run']): Promise<void> {
  const [first] = await run('select pg_snapshot_xmax(pg_current_snapshot())::text as next');
  const until = Date.now() + 10_000;
  while (Date.now() < until) {
    const open = await run(`select 1 from pg_stat_activity where datname <> current_database()
      and backend_xid::text::bigint < ${String(first?.['next'])}`);
    if (open.length === 0) return;
    await pause(20);
  }
}

async function givenOn(
  database: StoreDatabase,
  second: StoreDatabase,
  afterwards: () => Promise<void>,
): Promise<GivenStore> {
  const store = openStore(database);
  // The audit log, which the store appends to, is in the shared state.
  await migrate(database.db);
  await store.migrate();
  const run = async (text: string) =>
    (await sql.raw<Record<string, unknown>>(text).execute(database.db)).rows;
  return {
    store,
    database,
    other: openStore(second),
    run,
    async clear() {
      const tables = await run(`select table_name as name from information_schema.tables
        where table_schema = 'rampart_server' and table_name not like 'migration%'
        order by table_name = 'cause'`);
      // Truncating creates new files for each table and index, which takes much longer. Other tables refer to causes.
      const deletions = tables.map(({ name }) => `delete from rampart_server.${String(name)};`);
      await run(`do $$ begin ${deletions.join(' ')} end $$`);
    },
    async stop() {
      await database.close();
      await afterwards();
    },
  };
}
