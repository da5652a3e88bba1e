import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { hasPackagedPostgres, unpackPostgres } from './packaged-postgres.ts';
import { queryNow } from './query-now.ts';

/** Databases for tests, on a PostgreSQL server on loopback. */
export interface PostgresDatabases {
  readonly port: number;
  /** The address of a new database: empty, or a copy of the one with this name. */
  createDatabase(template?: string): string;
  /** Runs SQL as the superuser in a database of `createDatabase`. Returns a line for each row, with `|` between columns. */
  run(url: string, sql: string): string;
}

/** A server that nobody else uses. */
export interface PostgresServer extends PostgresDatabases {
  /** `immediate` is a crash: nothing is flushed, connections break. */
  halt(): void;
  start(): Promise<void>;
  stop(): void;
}

export const postgresPassword = 'correct-horse-battery';

/** The name of the folder in which test files of one run store what they would otherwise create again. */
export const templatesVariable = 'RAMPART_TEST_TEMPLATES';
/** The port of the server that test files of one run share. */
export const sharedPortVariable = 'RAMPART_TEST_POSTGRES_PORT';
/** The name of a database of the shared server with all tables of the state and the store, without connections. */
export const withTablesVariable = 'RAMPART_TEST_WITH_TABLES';

/** Where Debian puts the programs of each version; undefined if PostgreSQL is not installed. */
export function installedPostgres(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const [newest] = versions.toSorted((a, b) => Number(b) - Number(a));
  return newest === undefined ? undefined : `/usr/lib/postgresql/${newest}/bin`;
}

/** Is there a PostgreSQL server for tests? A development package contains one for most platforms. */
export const hasPostgres = hasPackagedPostgres || installedPostgres() !== undefined;
if (!hasPostgres)
  console.info(
    'No package contains PostgreSQL for this platform, and none is installed: its tests are skipped.',
  );

/** The server that all test files of this run share. A test that stops its server starts one of its own. */
export function sharedPostgres(): PostgresDatabases {
  const port = Number(process.env[sharedPortVariable]);
  if (!(port > 0)) throw new Error('test/given/prepare-databases.ts did not start PostgreSQL');
  return databasesOn(port);
}

/** The address of a new database of the shared server with all tables. Copying them is faster than creating them. */
export function databaseWithTables(): string {
  const template = process.env[withTablesVariable];
  if (template === undefined) throw new Error('test/given/prepare-databases.ts did not create the tables');
  return sharedPostgres().createDatabase(template);
}

function databasesOn(port: number): PostgresDatabases {
  const addressOf = (name: string) => `postgresql://rampart:${postgresPassword}@127.0.0.1:${port}/${name}`;
  return {
    port,
    createDatabase(template = 'template1') {
      const name = `state_${randomUUID().replaceAll('-', '_')}`;
      queryNow(addressOf('postgres'), `create database ${name} template ${template}`);
      return addressOf(name);
    },
    run: (url, sql) => queryNow(addressOf(new URL(url).pathname.slice(1)), sql),
  };
}

export interface PostgresOptions {
  /** Keeps acknowledged data, even if the machine crashes. */
  readonly durable?: boolean;
  /** The folder of its programs; those of the development package, or else those of this machine, if absent. */
  readonly programs?: string | undefined;
}

/** Starts a server whose folder is removed with it. It refuses to run as root, so it runs as a user without rights then. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-postgres-'));
  const templates = process.env[templatesVariable];
  const programs =
    options.programs ?? (hasPackagedPostgres ? unpackPostgres(templates ?? folder) : installedPostgres());
  if (programs === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const user = process.getuid?.() === 0 ? idsOf('nobody') : {};
  const data = join(folder, 'data');
  const template = templates === undefined || options.programs !== undefined ? data : join(templates, 'data');
  const own = (path: string) => {
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid);
  };
  own(folder);
  const context = { ...user, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8' } };
  if (!existsSync(template)) {
    mkdirSync(template);
    own(template);
    initialize(programs, template, context);
  }
  if (template !== data) execFileSync('cp', ['-R', template, data], context);
  const port = await freePort();
  let server: ChildProcess | undefined;
  const start = async () => {
    const settings = [
      `fsync=${options.durable === true ? 'on' : 'off'}`,
      'max_connections=200',
      `unix_socket_directories=${folder}`,
    ].flatMap((setting) => ['-c', setting]);
    const started = spawn(
      join(programs, 'postgres'),
      ['-D', data, '-p', String(port), '-h', '127.0.0.1', ...settings],
      { ...context, stdio: 'ignore' },
    );
    server = started;
    for (let attempt = 0; !isReady(data, started.pid); attempt += 1) {
      if (attempt > 500 || started.exitCode !== null) throw new Error('PostgreSQL did not start');
      await pause(20);
    }
  };
  const halt = () => {
    if (server?.exitCode !== null) return;
    const argv = ['-D', data, '-m', 'immediate', '-w', 'stop'];
    execFileSync(join(programs, 'pg_ctl'), argv, { ...context, stdio: 'ignore' });
  };
  await start();
  return {
    ...databasesOn(port),
    halt,
    start,
    stop() {
      halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Context {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

function initialize(programs: string, data: string, context: Context): void {
  const password = join(context.cwd, 'password');
  writeFileSync(password, postgresPassword);
  const settings = [
    '-U',
    'rampart',
    '--auth=scram-sha-256',
    `--pwfile=${password}`,
    '-E',
    'UTF8',
    '--no-sync',
  ];
  execFileSync(join(programs, 'initdb'), ['-D', data, ...settings], { ...context, stdio: 'ignore' });
}

/** The server writes its number on the first line of this file, and its state on the last. */
function isReady(data: string, pid: number | undefined): boolean {
  const file = join(data, 'postmaster.pid');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines[0] === String(pid) && lines.some((line) => line.trim() === 'ready');
}

function idsOf(name: string): { readonly uid?: number; readonly gid?: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
