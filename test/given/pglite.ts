import { type KyselyPlugin, PGliteDialect } from 'kysely';
import type { State } from '../../src/run/state/interface/state.ts';
import { type Database, open } from '../../src/run/state/postgres/connect.ts';
import { migrate } from '../../src/run/state/postgres/migrations.ts';
import { postgresStateOn } from '../../src/run/state/postgres/postgres-state.ts';
import { openPglite } from '../../src/server/database/open-pglite.ts';

/** PostgreSQL in this process, for one test file: starting it takes seconds. */
export interface GivenPglite {
  readonly database: Database;
  readonly state: State;
  run(sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Empties the tables. */
  clear(): Promise<void>;
  /** The same database through a network that fails on request. */
  through(network: GivenNetwork): Database;
  stop(): Promise<void>;
}

/** What a statement of each turn rejects with, before it is sent or once it has been carried out. */
export interface GivenNetwork {
  readonly sends?: readonly (Error | undefined)[];
  readonly replies?: readonly (Error | undefined)[];
}

export async function startPglite(): Promise<GivenPglite> {
  const pglite = await openPglite(undefined);
  const database = { ...open(new PGliteDialect({ pglite }), 'PGlite'), close: async () => {} };
  await migrate(database.db);
  return {
    database,
    state: postgresStateOn(database),
    run: async (sql) => (await pglite.query<Record<string, unknown>>(sql)).rows,
    clear: async () => {
      await pglite.exec(`truncate rampart.lease, rampart.run, rampart.record, rampart.fleet, rampart.audit,
        rampart.audit_head,
        rampart.list_time, rampart.rollout, rampart.rollout_plan, rampart.rollout_entry,
        rampart.inventory`);
    },
    through: (network) => ({ ...database, db: database.db.withPlugin(failing(network)) }),
    stop: () => pglite.close(),
  };
}

function failing({ sends = [], replies = [] }: GivenNetwork): KyselyPlugin {
  let sent = 0;
  let replied = 0;
  return {
    transformQuery({ node }) {
      const failure = sends[sent];
      sent += 1;
      if (failure !== undefined) throw failure;
      return node;
    },
    async transformResult({ result }) {
      const failure = replies[replied];
      replied += 1;
      if (failure !== undefined) throw failure;
      return result;
    },
  };
}
