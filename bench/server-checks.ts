/**
 * The checks of `rampart server` on PostgreSQL, compared with a program that only fetches and parses the same lists. The
 * first pass writes every host to the database, the second one only differences, of which there are none. The emulator and
 * the database run in processes of their own, on the same machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type PostgresServer, startPostgres } from '../test/given/postgres.ts';
import { isQuick } from './measure/quick.ts';
import { processesInTurns } from './measure/whole-process.ts';
import { openReport } from './report/report.ts';

const { values } = parseArgs({
  options: { million: { type: 'boolean', default: false }, quick: { type: 'boolean', default: false } },
});
const accounts = values.million ? 5_000 : isQuick ? 100 : 1_000;
const hosts = 200;
/** As many as one server checks at the same time. */
const parallel = 32;

const root = join(import.meta.dirname, '..');
const main = join(root, 'src/doors/cli/main.ts');
const folder = mkdtempSync(join(tmpdir(), 'rampart-server-checks-'));
const config = join(folder, 'rampart.config.yaml');
const emulator = spawn(
  process.execPath,
  [main, 'emulator', '--accounts', `${accounts}`, '--hosts', `${hosts}`, '--write-config', config, '--json'],
  { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
);
await once(emulator.stdout, 'data');
writeFileSync(
  join(folder, 'fleet.yaml'),
  'version: 1\nrules:\n  - name: none\n    when: host.name.startsWith("OLD-")\n    rename: "N-${host.id}"\n',
);
const text = readFileSync(config, 'utf8').replace('mode: correct', 'mode: propose\n  files: [fleet.yaml]');
writeFileSync(config, text);
appendFileSync(config, 'server: { cadence: 60m }\n');

const database = await startPostgres({ durable: true });
const url = database.createDatabase();
const server = spawn(process.execPath, [main, 'server', '--no-http'], {
  cwd: folder,
  env: { ...process.env, RAMPART_STATE_URL: url, RAMPART_LOG: 'warn' },
  stdio: ['ignore', 'ignore', 'inherit'],
});

interface Pass {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const first = await passOf(database, server);
database.run(
  url,
  `delete from rampart.list_time; update rampart_server.account set last_check_at = now() - interval '2 hours'`,
);
const second = await passOf(database, server);
const peakMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
const bare = {
  file: process.execPath,
  argv: [join(import.meta.dirname, 'accounts/parse-lists.mjs'), config, `${parallel}`],
  cwd: folder,
  env: {},
};
server.kill('SIGTERM');
await once(server, 'close');
const [lists] = await processesInTurns(3, [bare]);

const report = openReport(
  'Checks of a server',
  `${accounts.toLocaleString('en')} accounts of ${hosts} hosts checked by one server with PostgreSQL, compared with fetching and parsing the same lists, ${parallel} at a time`,
);
const row = report.table([
  'process',
  'time',
  'a second',
  'of the bare loop',
  'goal',
  'processor',
  'peak memory',
]);
const bareSeconds = (lists?.ms ?? Number.NaN) / 1000;
row([
  'fetch and parse the lists',
  `${bareSeconds.toFixed(1)} s`,
  (accounts / bareSeconds).toFixed(0),
  '',
  '',
  '',
  `${(lists?.peakMb ?? 0).toFixed(0)} MB`,
]);
for (const [name, pass] of [
  ['first pass: every host is written', first],
  ['second pass: nothing has changed', second],
] as const) {
  row([
    name,
    `${pass.seconds.toFixed(1)} s`,
    (accounts / pass.seconds).toFixed(0),
    (bareSeconds / pass.seconds).toFixed(2),
    name.startsWith('second') ? '0.3' : '',
    `${pass.cpuSeconds.toFixed(1)} s`,
    `${peakMb.toFixed(0)} MB`,
  ]);
}
emulator.kill();
database.stop();
rmSync(folder, { recursive: true });

/** Waits until all accounts were checked since the last hour; the times are those of the database. */
async function passOf(given: PostgresServer, child: ChildProcess): Promise<Pass> {
  const start = cpuOf(child);
  for (;;) {
    await pause(500);
    if (child.exitCode !== null) throw new Error('the server ended');
    const found = tryRun(
      given,
      `select count(*) filter (where last_check_at > now() - interval '1 hour') || ' '
         || coalesce(extract(epoch from max(last_check_at) - min(last_check_at)), 0)
       from rampart_server.account`,
    );
    const [done = 0, seconds = 0] = found.split(' ').map(Number);
    if (done >= accounts) return { seconds, cpuSeconds: cpuOf(child) - start };
  }
}

/** Before the server has made its tables, there is nothing. */
function tryRun(given: PostgresServer, sql: string): string {
  const exists = given.run(url, `select to_regclass('rampart_server.account') is not null`);
  return exists === 't' ? given.run(url, sql) : '0 0';
}

/** The processor time of a process in seconds, of all its threads. */
function cpuOf({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
}
