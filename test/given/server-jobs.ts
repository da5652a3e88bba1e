import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createExchanges } from '../../src/accounts/engine/exchanges.ts';
import type { Clock } from '../../src/core/lib/surroundings.ts';
import type { Result } from '../../src/core/problem/problem.ts';
import { connectDatabase } from '../../src/run/state/postgres/connect.ts';
import { migrate } from '../../src/run/state/postgres/migrations.ts';
import { postgresStateOn } from '../../src/run/state/postgres/postgres-state.ts';
import type { AccountRecord } from '../../src/server/accounts/records/account-record.ts';
import type { StoreDatabase } from '../../src/server/database/store-database.ts';
import type { PlanRecord } from '../../src/server/plans/records/plans.ts';
import type { QueueName } from '../../src/server/queue/queue.ts';
import { accountJobs } from '../../src/server/queue/rules/job-handlers.ts';
import type { JobParts } from '../../src/server/queue/rules/job-parts.ts';
import type { ServerRun } from '../../src/server/runs/records/runs.ts';
import { toTenant } from '../../src/server/settings/configured-account.ts';
import { readServerSettings } from '../../src/server/settings/read-server-settings.ts';
import { createDesiredStates } from '../../src/server/sources/rules/desired-states.ts';
import { openServerSources } from '../../src/server/sources/rules/open-sources.ts';
import { createSharedRegisters } from '../../src/server/sources/rules/shared-registers.ts';
import { openStore, type Store } from '../../src/server/store/open-store.ts';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { registerReader } from '../../src/service/registers/register-reader.ts';
import { type GivenAccount, type GivenAccounts, givenAccounts } from './accounts.ts';
import { repeatingStore } from './repeating-store.ts';

/** The jobs of a server with its store on a database, its accounts emulated on a socket. */
export interface GivenServer {
  readonly given: GivenAccounts;
  readonly parts: JobParts;
  /** Each of its transactions is repeated once. */
  readonly store: Store;
  readonly database: StoreDatabase;
  /** What was added to the queues, oldest first. */
  readonly sent: readonly { readonly queue: QueueName; readonly key: string }[];
  /** The plans of an account, latest first. */
  plans(account?: string): Promise<readonly PlanRecord[]>;
  /** The runs of all accounts, latest first. */
  runs(): Promise<readonly ServerRun[]>;
  account(name?: string): Promise<AccountRecord>;
  /** Replaces the desired state, and stores its new commit. */
  desire(text: string): Promise<void>;
  check(account: string): Promise<void>;
  run(account: string): Promise<void>;
  /** Works everything in the queues, and what that adds, until they are empty. */
  drain(): Promise<void>;
}

export interface GivenServerOptions {
  readonly desired: string;
  /** Lines below `server:`. */
  readonly server?: string;
  readonly clock?: Clock;
  readonly env?: Readonly<Record<string, string>>;
}

function itemsOf<Item>(page: Result<{ readonly items: readonly Item[] }>): readonly Item[] {
  if (!page.ok) throw new Error(page.problems[0]?.message);
  return page.value.items;
}

/** On a new database of PostgreSQL. */
export async function givenServer(
  url: string,
  accounts: Readonly<Record<string, GivenAccount>>,
  { desired, server = '', clock = systemClock, env: more = {} }: GivenServerOptions,
): Promise<GivenServer> {
  const given = await givenAccounts(accounts);
  const database: StoreDatabase = { ...connectDatabase(url), notifier: () => async () => {} };
  onTestFinished(() => database.close());
  await migrate(database.db);
  const folder = await mkdtemp(join(tmpdir(), 'rampart-server-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'fleet.yaml'), desired);
  await writeFile(
    join(folder, 'rampart.config.yaml'),
    `${given.config}${server === '' ? '' : `server:\n${server}`}`,
  );
  const env = { ...given.env, ...more };
  const settings = await readServerSettings({ folder, env });
  if (!settings.ok) throw new Error(settings.problems.map(({ message }) => message).join('; '));
  const store = repeatingStore(openStore(database));
  await store.migrate();
  const state = postgresStateOn({ ...database, close: async () => {} });
  const exchanges = createExchanges(env);
  onTestFinished(() => exchanges.close());
  const sources = openServerSources(settings.value.sources, {
    data: settings.value.data,
    folder,
    env,
    hide: () => {},
    allow: [],
  });
  const sent: { queue: QueueName; key: string }[] = [];
  const waiting: { queue: QueueName; key: string }[] = [];
  const queue: JobParts['queue'] = {
    async send(name, keys) {
      const added = keys.map((key) => ({ queue: name, key }));
      sent.push(...added);
      waiting.push(...added);
      return keys.length;
    },
  };
  const registers = createSharedRegisters(
    settings.value,
    registerReader({ env, folder, clock, hide: () => {} }),
    clock,
  );
  const parts: JobParts = {
    env,
    settings: settings.value,
    store,
    state,
    exchanges,
    clock,
    desired: createDesiredStates({ settings: settings.value, sources, store, clock, registers }),
    queue,
  };
  await store.accounts.sync(
    settings.value.accounts.map((account) => {
      const { name, labels, mode } = account;
      return { name, ...toTenant(account, env), labels, mode };
    }),
  );
  const jobs = accountJobs(parts);
  const never = new AbortController().signal;
  const workOne = async (queueName: 'check' | 'run', key: string) => {
    await jobs[queueName]({ key, attempt: 0, stopping: never }, never);
  };
  return {
    given,
    parts,
    store,
    database,
    sent,
    plans: async (account = 'berlin') => itemsOf(await store.plans.list({ visible: 'all', account })),
    runs: async () => itemsOf(await store.runs.list({ visible: 'all' })),
    async account(name = 'berlin') {
      const found = await store.accounts.find(name, 'all');
      if (found === undefined) throw new Error(`no account ${name}`);
      return found;
    },
    async desire(text) {
      await writeFile(join(folder, 'fleet.yaml'), text);
      for (const { name } of settings.value.sources) {
        const found = await sources.refresh(name);
        if (!found.ok) throw new Error(found.problems[0]?.message);
        await store.sources.fetched(name, found.value.commit);
      }
    },
    check: (key) => workOne('check', key),
    run: (key) => workOne('run', key),
    async drain() {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        if (next.queue === 'check' || next.queue === 'run') await workOne(next.queue, next.key);
    },
  };
}
