import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A PostgreSQL server of its own, on loopback, for one test file. */
export interface PostgresServer {
  readonly port: number;
  /** The address of a new and empty database. */
  createDatabase(): string;
  /** Runs SQL as the superuser in a database of `createDatabase`, and returns what psql prints. */
  run(url: string, sql: string): string;
  /** `immediate` is a crash: nothing is flushed, connections break. */
  halt(): void;
  start(): Promise<void>;
  stop(): void;
}

const password = 'correct-horse-battery';
export const postgresPassword = password;

/** Names the folder in which test files of one run keep what they would otherwise create again. */
export const templatesVariable = 'RAMPART_TEST_TEMPLATES';

/** Where Debian puts the programs of each version; undefined where PostgreSQL is not installed. */
export function postgresPrograms(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql') : [];
  const [newest] = versions.toSorted((a, b) => Number(b) - Number(a));
  return newest === undefined ? undefined : `/usr/lib/postgresql/${newest}/bin`;
}

/** Starts a server whose folder is removed with it. The server refuses to run as root, so it gets Debian's user. */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const user = process.getuid?.() === 0 ? idsOf('postgres') : {};
  const folder = mkdtempSync(join(tmpdir(), 'rampart-postgres-'));
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = {
    ...user,
    cwd: folder,
    env: { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', PGPASSWORD: password },
  };
  const copy = (from: string, to: string) => execFileSync('cp', ['-R', from, to], options);
  const templates = process.env[templatesVariable];
  const template = templates === undefined ? undefined : join(templates, 'postgres');
  if (template !== undefined && existsSync(template)) copy(template, data);
  else {
    initialize(programs, data, options);
    if (template !== undefined) {
      copy(data, `${data}-copy`);
      moveUnlessThere(`${data}-copy`, template);
    }
  }
  const port = await freePort();
  let server: ChildProcess | undefined;
  let databases = 0;
  const psql = (database: string, sql: string) =>
    execFileSync(
      'psql',
      [
        '-h',
        '127.0.0.1',
        '-p',
        String(port),
        '-U',
        'rampart',
        '-d',
        database,
        '-X',
        '-q',
        '-A',
        '-t',
        '-v',
        'ON_ERROR_STOP=1',
        '-c',
        sql,
      ],
      { ...options, encoding: 'utf8' },
    ).trim();
  const start = async () => {
    server = spawn(
      join(programs, 'postgres'),
      [
        '-D',
        data,
        '-p',
        String(port),
        '-h',
        '127.0.0.1',
        '-k',
        folder,
        '-c',
        durable ? 'fsync=on' : 'fsync=off',
        '-c',
        'max_connections=200',
      ],
      { ...options, stdio: 'ignore' },
    );
    for (let attempt = 0; ; attempt += 1) {
      const ready = spawnSync(join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], options);
      if (ready.status === 0) return;
      if (attempt > 200 || server.exitCode !== null) throw new Error('PostgreSQL did not start');
      await pause(50);
    }
  };
  const halt = () => {
    spawnSync(join(programs, 'pg_ctl'), ['-D', data, '-m', 'immediate', '-w', 'stop'], options);
  };
  await start();
  return {
    port,
    createDatabase() {
      databases += 1;
      const name = `state${databases}`;
      psql('postgres', `create database ${name}`);
      return `postgresql://rampart:${password}@127.0.0.1:${port}/${name}`;
    },
    run: (url, sql) => psql(new URL(url).pathname.slice(1), sql),
    halt,
    start,
    stop() {
      halt();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function initialize(
  programs: string,
  data: string,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): void {
  const pwfile = spawnSync('sh', ['-c', 'umask 077; cat > pw'], { ...options, input: password });
  if (pwfile.status !== 0) throw new Error('the password file could not be written');
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'rampart', '--auth=scram-sha-256', '--pwfile=pw', '-E', 'UTF8', '--no-sync'],
    { ...options, stdio: 'ignore' },
  );
}

/** Test files that start at the same time each move a folder there; the first one stays. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
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
