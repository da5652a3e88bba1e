import { join } from 'node:path';
import { createExchanges, type Exchanges } from '../../accounts/engine/exchanges.ts';
import type { Clock, Environment } from '../../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { State } from '../../run/state/interface/state.ts';
import { databaseProblem } from '../../run/state/postgres/database-problem.ts';
import { migrate } from '../../run/state/postgres/migrations.ts';
import { postgresStateOn } from '../../run/state/postgres/postgres-state.ts';
import { logProblem, type ServerLog } from '../../run/telemetry/server-log.ts';
import { allowedOriginsVariable } from '../../service/client/pinned-origins.ts';
import { configureAccounts } from '../accounts/rules/configure-accounts.ts';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../database/embedded-database.ts';
import { openPostgresDatabase } from '../database/postgres-database.ts';
import type { StoreDatabase } from '../database/store-database.ts';
import { freeBytesOf } from '../database/unopened-database.ts';
import { openQueue } from '../queue/open-queue.ts';
import type { Queue } from '../queue/queue.ts';
import { toTenant } from '../settings/configured-account.ts';
import { isReported, type ServerSettings } from '../settings/server-settings.ts';
import { openServerSources, type ServedSources } from '../sources/rules/open-sources.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { createDatabaseProbe } from './database-probe.ts';
import { openServerKey, type ServerKey } from './sign-audit-log.ts';

export interface PartsOptions {
  /** Of Rampart. */
  readonly version: string;
  readonly settings: ServerSettings;
  readonly env: Environment;
  readonly clock: Clock;
  readonly log: ServerLog;
  /** Called with each secret as soon as it is known, so that no output shows it. */
  readonly hide: (secrets: readonly string[]) => void;
  /** The address of a PostgreSQL database; the embedded one if absent. */
  readonly databaseUrl?: string;
  /** The key for the audit log; absent: only the file that the environment names. */
  readonly auditKey?: ServerKey;
}

/** The parts that the pieces of one server process share. */
export interface ServerParts extends PartsOptions {
  readonly database: StoreDatabase;
  readonly isEmbedded: boolean;
  readonly store: Store;
  readonly state: State;
  readonly queue: Queue;
  readonly exchanges: Exchanges;
  readonly sources: ServedSources;
  /** Why the database can't be written within a few seconds; null if it can. Tries it at most once in 5 seconds. */
  databaseFault(): Promise<string | null>;
  /** Closes everything but the queue, which must have stopped. */
  close(): Promise<void>;
}

/** Opens the database, updates its tables, and makes the accounts of the store those of the configuration. */
export async function openParts(options: PartsOptions): Promise<Result<ServerParts>> {
  const { settings, log, hide, clock } = options;
  const probe = createDatabaseProbe(() => clock.now());
  const opened = await openDatabase(options, probe.hear);
  if (!opened.ok) return opened;
  const database = opened.value;
  const pglite = 'pglite' in database ? database.pglite : undefined;
  const env = withConfiguredOrigins(options.env, settings);
  try {
    await migrate(database.db);
    const store = openStore(database, reportedSources(settings));
    await store.migrate();
    const signing = await openServerKey(
      { ...postgresStateOn(database), clock },
      env,
      options.auditKey,
      pglite === undefined ? undefined : join(settings.data, 'database'),
    );
    if (!signing.ok) {
      await database.close();
      return signing;
    }
    for (const each of signing.problems) logProblem(log, 'warn', each, 'audit');
    const queue = await openQueue({
      database: pglite === undefined ? { url: options.databaseUrl as string } : { pglite },
      onFault: (message, repeated) =>
        log('warn', message, { part: 'queue', ...(repeated === 0 ? {} : { repeated }) }),
    });
    await configureAccounts(
      settings.accounts.map((account) => ({
        name: account.name,
        ...toTenant(account, env),
        labels: account.labels,
        mode: account.mode,
      })),
      { settings, store, clock },
    );
    await store.sources.keepOnly(settings.sources.map(({ name }) => name));
    const exchanges = createExchanges(env);
    const sources = openServerSources(settings.sources, {
      data: settings.data,
      folder: settings.folder,
      env,
      hide,
      allow: settings.allow,
    });
    return ok({
      ...options,
      env,
      database,
      isEmbedded: pglite !== undefined,
      store,
      state: postgresStateOn(database, signing.value?.keys, signing.value?.memory),
      queue,
      exchanges,
      sources,
      databaseFault: () =>
        probe.fault({
          store,
          place: database.place,
          ...(pglite === undefined ? {} : { freeBytes: () => freeBytesOf(settings.data) }),
        }),
      async close() {
        await exchanges.close();
        await database.close();
      },
    });
  } catch (error) {
    await database.close().catch(() => {});
    return failed(databaseProblem(error, database.place));
  }
}

function reportedSources({ sources }: ServerSettings): ReadonlySet<string> {
  return new Set(sources.flatMap((source) => (isReported(source) ? [source.name] : [])));
}

async function openDatabase(
  { settings, version, databaseUrl }: PartsOptions,
  onFailure: (error: unknown) => void,
): Promise<Result<StoreDatabase | EmbeddedDatabase>> {
  if (databaseUrl !== undefined) return ok(openPostgresDatabase(databaseUrl, onFailure));
  return openEmbeddedDatabase({ folder: join(settings.data, 'database'), version, onFailure });
}

/**
 * The origins of the configuration are pinned: only the operator of the server writes rampart.config.yaml, and pull
 * requests can't change its folder.
 */
function withConfiguredOrigins(env: Environment, { accounts }: ServerSettings): Environment {
  const origins = new Set((env[allowedOriginsVariable] ?? '').split(/[\s,]+/).filter((each) => each !== ''));
  for (const { baseUrl, key } of accounts) {
    if (baseUrl !== undefined && URL.canParse(baseUrl)) origins.add(new URL(baseUrl).origin);
    if (key?.kind === 'vault' && URL.canParse(key.vault.address))
      origins.add(new URL(key.vault.address).origin);
  }
  return origins.size === 0 ? env : { ...env, [allowedOriginsVariable]: [...origins].join(',') };
}

/** The problem of a worker without a shared database. */
export function needsSharedDatabase() {
  return problem('configuration', 'a worker needs a PostgreSQL database, which it shares with servers', {
    hint: 'set RAMPART_STATE_URL or RAMPART_STATE_URL_FILE, as for the servers',
  });
}
