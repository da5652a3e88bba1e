import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { openFilesState } from '../../src/run/state/files/files-state.ts';
import type { State } from '../../src/run/state/interface/state.ts';
import { open } from '../../src/run/state/postgres/connect.ts';
import { openPostgresState, postgresStateOn } from '../../src/run/state/postgres/postgres-state.ts';
import { openPglite } from '../../src/server/database/open-pglite.ts';
import { databaseWithTables } from './postgres.ts';

/** A backend of the state, for one test file. */
export interface Backend {
  readonly name: string;
  /** A new and empty state. Two that are opened by the same name share their data. */
  open(name: string): Promise<State>;
  stop(): Promise<void>;
}

export async function filesBackend(): Promise<Backend> {
  const root = mkdtempSync(join(tmpdir(), 'rampart-state-'));
  return {
    name: 'files',
    open: async (name) => openFilesState(join(root, name)),
    stop: async () => rmSync(root, { recursive: true, force: true }),
  };
}

/**
 * PostgreSQL in this process. Starting an instance takes seconds, so states whose names begin alike take turns on one:
 * the next one empties it.
 */
export async function pgliteBackend(): Promise<Backend> {
  const instances = new Map<string, { readonly pglite: PGlite; holds: string }>();
  return {
    name: 'PGlite',
    async open(name) {
      const [kind = ''] = name.split('-');
      const known = instances.get(kind);
      const instance = known ?? { pglite: await openPglite(undefined), holds: '' };
      instances.set(kind, instance);
      const { pglite } = instance;
      const database = open(new PGliteDialect({ pglite }), `PGlite ${name}`);
      const state = postgresStateOn({ ...database, close: async () => {} });
      if (instance.holds === name) return state;
      instance.holds = name;
      await pglite.exec('drop schema if exists rampart cascade');
      await migrated(state);
      return state;
    },
    async stop() {
      for (const { pglite } of instances.values()) await pglite.close();
    },
  };
}

export async function postgresBackend(): Promise<Backend> {
  const urls = new Map<string, string>();
  return {
    name: 'PostgreSQL',
    async open(name) {
      const known = urls.get(name);
      const url = known ?? databaseWithTables();
      urls.set(name, url);
      const state = openPostgresState(url);
      if (known === undefined) await migrated(state);
      return state;
    },
    stop: async () => {},
  };
}

async function migrated(state: State): Promise<void> {
  const { ok, problems } = await state.migrate();
  if (!ok) throw new Error(problems[0]?.message);
}
