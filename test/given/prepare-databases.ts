import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEmptyDatabase } from '../../bin/cli/write-empty-database.ts';
import { migrate } from '../../src/run/state/postgres/migrations.ts';
import { openPostgresDatabase } from '../../src/server/database/postgres-database.ts';
import { openStore } from '../../src/server/store/open-store.ts';
import {
  hasPostgres,
  type PostgresServer,
  sharedPortVariable,
  startPostgres,
  templatesVariable,
  withTablesVariable,
} from './postgres.ts';

/** Creates and starts once what each test file with a database would otherwise create and start again. */
export async function setup(): Promise<() => void> {
  // Vitest calls it for each project.
  if (process.env[templatesVariable] !== undefined) return () => {};
  await writeEmptyDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'rampart-templates-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  process.env[templatesVariable] = folder;
  const server = hasPostgres ? await startPostgres() : undefined;
  if (server !== undefined) {
    process.env[sharedPortVariable] = String(server.port);
    process.env[withTablesVariable] = await createTables(server);
  }
  return () => {
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Returns the name of a database with the tables of the state and the store. */
async function createTables(server: PostgresServer): Promise<string> {
  const url = server.createDatabase();
  const database = openPostgresDatabase(url);
  await migrate(database.db);
  await openStore(database).migrate();
  await database.close();
  return new URL(url).pathname.slice(1);
}
