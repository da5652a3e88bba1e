import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connectDatabase } from '../../../src/run/state/postgres/connect.ts';
import { migrate } from '../../../src/run/state/postgres/migrations.ts';
import { givenFolder } from '../../given/given-folder.ts';
import { hasPostgres, sharedPostgres } from '../../given/postgres.ts';

const contender = fileURLToPath(new URL('lease-contender.ts', import.meta.url));
const rounds = process.env['RAMPART_SOAK'] === '1' ? '1000' : '100';

/** Two processes that take one lease by turns, each so many times; how each ended. */
async function race(url: string): Promise<readonly string[]> {
  const stateDir = givenFolder();
  const children = [0, 1].map(() =>
    spawn(process.execPath, [contender, stateDir, rounds, url], { stdio: 'pipe' }),
  );
  const ends = children.map(async (child) => {
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    const [code] = await once(child, 'close');
    return code === 0 ? 'fine' : complaint;
  });
  await Promise.race([Promise.all(children.map((child) => once(child.stdout, 'data'))), ...ends]);
  for (const { stdin } of children) stdin.end();
  return Promise.all(ends);
}

describe.skipIf(!hasPostgres)('two processes that race for one lease in PostgreSQL 200 times', () => {
  it('never hold it together', { timeout: 120_000 }, async () => {
    const url = sharedPostgres().createDatabase();
    const database = connectDatabase(url);
    await migrate(database.db);
    await database.close();
    expect(await race(url)).toEqual(['fine', 'fine']);
  });
});
