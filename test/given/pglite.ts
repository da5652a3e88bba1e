import type { KyselyPlugin } from 'kysely';
import type { State } from '../../src/run/state/interface/state.ts';
import type { Database } from '../../src/run/state/postgres/connect.ts';
import { postgresStateOn } from '../../src/run/state/postgres/postgres-state.ts';
import { takePglite } from './taken-pglite.ts';

/** PostgreSQL in this process, for one test file. */
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
  const { pglite, database, clear, giveBack } = await takePglite();
  return {
    database,
    state: postgresStateOn(database),
    run: async (sql) => (await pglite.query<Record<string, unknown>>(sql)).rows,
    clear,
    through: (network) => ({ ...database, db: database.db.withPlugin(failing(network)) }),
    stop: giveBack,
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
