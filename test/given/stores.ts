import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { migrate } from '../../src/run/state/postgres/migrations.ts';
import type { ConfiguredAccount } from '../../src/server/accounts/records/account-record.ts';
import type {
  CheckedCause,
  CheckedDrift,
  CheckedHost,
  CheckRecord,
} from '../../src/server/accounts/records/check-record.ts';
import { openEmbeddedDatabase } from '../../src/server/database/embedded-database.ts';
import { openPostgresDatabase } from '../../src/server/database/postgres-database.ts';
import type { StoreDatabase } from '../../src/server/database/store-database.ts';
import type { NewPlan } from '../../src/server/plans/records/plan-record.ts';
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

export function givenAccount(name: string, parts: Partial<ConfiguredAccount> = {}): ConfiguredAccount {
  return {
    name,
    companyId: '42',
    service: 'https://service.example',
    labels: { region: 'eu' },
    mode: 'propose',
    source: null,
    ...parts,
  };
}

export const givenCause: CheckedCause = {
  id: 'cause-1',
  kind: 'fleet',
  title: 'Someone renamed hosts',
  rule: 'naming',
  place: { file: 'fleet.yaml', line: 3 },
};

export function givenHosts(count: number, prefix = 'host'): readonly CheckedHost[] {
  return Array.from({ length: count }, (_, index) => ({
    hostId: String(index + 1),
    name: `${prefix}-${index + 1}`,
    group: index % 2 === 0 ? 'Berlin' : 'Paris',
    state: index % 3 === 0 ? 'offline' : 'online',
    facts: { online: index % 3 !== 0 },
  }));
}

export function givenDrift(hostId: string, parts: Partial<CheckedDrift> = {}): CheckedDrift {
  return {
    hostId,
    name: `host-${hostId}`,
    attribute: 'name',
    desired: 'wanted',
    last: 'wanted',
    live: `host-${hostId}`,
    changed: 'fleet',
    cause: givenCause.id,
    ignored: false,
    ...parts,
  };
}

/** A check that read these hosts. */
export function givenCheck(
  account: string,
  hosts: readonly CheckedHost[],
  parts: Partial<CheckRecord> & { readonly drift?: readonly CheckedDrift[] } = {},
): CheckRecord {
  const { drift = [], ...rest } = parts;
  return {
    account,
    health: drift.length > 0 ? 'drifted' : 'converged',
    fleet: { digest: JSON.stringify(hosts), hosts: () => hosts, count: hosts.length, drift },
    causes: drift.length > 0 ? [givenCause] : [],
    commit: 'c0ffee',
    changes: drift.length,
    irreversible: 0,
    failure: null,
    nextCheckAt: null,
    ...rest,
  };
}

export function givenNewPlan(account: string, parts: Partial<NewPlan> = {}): NewPlan {
  return {
    account,
    checksum: 'checksum-1',
    document: '{"steps":[]}',
    shape: { effects: [{ kind: 'rename', of: null, hosts: 1, first: ['host-1'] }] },
    source: 'files',
    commit: 'c0ffee',
    author: 'ada',
    expiresAt: new Date(Date.now() + 3_600_000),
    counts: { rename: 1, move: 0, delete: 0, install: 0, refresh: 0 },
    changes: 1,
    irreversible: 0,
    calls: 1,
    required: { approvals: 1, notAuthor: true, numbers: [] },
    state: 'waiting',
    ...parts,
  };
}

export const ada = { kind: 'person', id: 'ada', name: 'Ada' } as const;
export const bob = { kind: 'person', id: 'bob', name: 'Bob' } as const;

/** The names on all pages of a list, in their order. */
export async function allPages<Item>(
  read: (cursor: string | undefined) => Promise<{
    readonly ok: boolean;
    readonly value?: { readonly items: readonly Item[]; readonly next?: string };
  }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await read(cursor);
    if (page.value === undefined) throw new Error('the page is a failure');
    items.push(...page.value.items);
    cursor = page.value.next;
    if (cursor === undefined) return items;
  }
}
