import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openPostgresDatabase } from '../../src/server/database/postgres-database.ts';
import { tokenPrefix } from '../../src/server/sign-in/routes/identify.ts';
import { hashOfSecret, randomSecret } from '../../src/server/sign-in/rules/secret-text.ts';
import { openStore } from '../../src/server/store/open-store.ts';
import { startPostgres } from '../../test/given/postgres.ts';
import { buildPublished } from '../measure/published.ts';
import { familySeconds, processorSeconds } from './processor-time.ts';

/** The published server with a PostgreSQL database of its own. */
export interface MeasuredServer {
  readonly process: ChildProcess;
  readonly url: string;
  /** For the API, with every right. */
  readonly token: string;
  /** Runs SQL, and returns what psql prints. */
  readonly ask: (sql: string) => string;
  /** Processor seconds so far, of the server and of all processes of the database. */
  readonly used: () => { readonly server: number; readonly database: number };
  /** Ends the server and its database. */
  readonly stop: () => Promise<void>;
}

let published: Promise<string> | undefined;

/** The program as it is published. */
export function publishedProgram(): Promise<string> {
  return (published ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rampart-published-'));
    process.once('exit', () => rmSync(folder, { recursive: true }));
    return buildPublished(folder);
  })());
}

/** Starts a server for the rampart.config.yaml in a folder. */
export async function startServerIn(
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<MeasuredServer> {
  const database = await startPostgres({ durable: true });
  const address = database.createDatabase();
  const server = spawn(process.execPath, [await publishedProgram(), 'server', '--json'], {
    cwd: folder,
    env: { ...process.env, ...env, RAMPART_STATE_URL: address, RAMPART_LOG: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [started] = (await once(server.stdout, 'data')) as [Buffer];
  const ask = (sql: string) => database.run(address, sql);
  const postmaster = Number(ask(`select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)`));
  return {
    process: server,
    url: (JSON.parse(started.toString()) as { readonly url: string }).url,
    token: await createToken(address),
    ask,
    used: () => ({ server: processorSeconds(server.pid), database: familySeconds(postmaster) }),
    async stop() {
      server.kill('SIGTERM');
      if (server.exitCode === null) await once(server, 'close');
      database.stop();
    },
  };
}

async function createToken(address: string): Promise<string> {
  const database = openPostgresDatabase(address);
  const token = tokenPrefix + randomSecret();
  await openStore(database).tokens.create({
    name: 'bench',
    hash: hashOfSecret(token),
    grants: [{ role: 'admin' }],
    createdBy: { kind: 'operator', id: 'operator', name: 'operator' },
    lifeMs: 86_400_000,
  });
  await database.close();
  return token;
}

/** Waits, and fails if the server ends before. */
export async function until(
  { process: child }: MeasuredServer,
  isDone: () => boolean,
  everyMs = 250,
): Promise<void> {
  while (!isDone()) {
    if (child.exitCode !== null) throw new Error('the server ended');
    await pause(everyMs);
  }
}
