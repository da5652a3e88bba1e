import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeEmptyDatabase } from '../../bin/cli/write-empty-database.ts';
import { hasPostgres, sharedPortVariable, startPostgres, templatesVariable } from './postgres.ts';
import { prepareProgram } from './program.ts';

/** Builds, creates and starts once what each test file would otherwise build, create and start again. */
export async function setup(): Promise<() => void> {
  await writeEmptyDatabase();
  await prepareProgram();
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
