import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEmptyDatabase } from '../../bin/cli/write-empty-database.ts';
import { hasPostgres, sharedPortVariable, startPostgres, templatesVariable } from './postgres.ts';

/** Creates and starts once what each test file with a database would otherwise create and start again. */
export async function setup(): Promise<() => void> {
  await writeEmptyDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'rampart-templates-'));
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o711);
  process.env[templatesVariable] = folder;
  const server = hasPostgres ? await startPostgres() : undefined;
  if (server !== undefined) process.env[sharedPortVariable] = String(server.port);
  return () => {
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
