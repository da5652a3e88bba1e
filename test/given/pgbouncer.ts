import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresPassword } from './postgres.ts';

/** Its path on Debian; undefined if it is not installed. */
export function pgbouncerProgram(): string | undefined {
  return ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => existsSync(path));
}

export interface Pooler {
  readonly port: number;
  stop(): void;
}

/** A pooler in transaction mode before a server of this machine: two connections for everyone. */
export async function startPooler(serverPort: number): Promise<Pooler> {
  const program = pgbouncerProgram();
  if (program === undefined) throw new Error('pgbouncer is not installed');
  const isRoot = process.getuid?.() === 0;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const user = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const folder = mkdtempSync(join(tmpdir(), 'rampart-pooler-'));
  const port = await freePort();
  writeFileSync(join(folder, 'users'), `"rampart" "${postgresPassword}"\n`);
  writeFileSync(
    join(folder, 'pooler.ini'),
    [
      '[databases]',
      `* = host=127.0.0.1 port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${join(folder, 'users')}`,
      'pool_mode = transaction',
      'default_pool_size = 2',
      'max_client_conn = 100',
      '',
    ].join('\n'),
  );
  if (user.uid !== undefined && user.gid !== undefined)
    for (const path of [folder, join(folder, 'users'), join(folder, 'pooler.ini')])
      chownSync(path, user.uid, user.gid);
  const pooler: ChildProcess = spawn(program, [join(folder, 'pooler.ini')], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  });
  for (let attempt = 0; !(await answers(port)); attempt += 1) {
    if (attempt > 200 || pooler.exitCode !== null) throw new Error('pgbouncer did not start');
    await pause(50);
  }
  return {
    port,
    stop() {
      pooler.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (isThere: boolean) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
  });
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
