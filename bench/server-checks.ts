/**
 * The checks of `rampart server` on PostgreSQL, compared with a program that only fetches and parses the same lists. The
 * first pass writes every host to the database, the second one only differences, of which there are none. The emulator and
 * the database run in processes of their own, on the same machine.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  /** Processor time of the server, and of all processes of the database. */
  readonly serverSeconds: number;
  readonly databaseSeconds: number;
}

const postmaster = Number(database.run(url, `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)`));
/** The processor seconds of the cores of one cadence of 10 minutes. */
const cadenceSeconds = 600 * 2;
const cadenceAccounts = 5_000;

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
  'server, ms a check',
  'database, ms a check',
  'of 2 cores, 5,000 every 10 minutes',
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
    ((pass.serverSeconds / accounts) * 1000).toFixed(1),
    ((pass.databaseSeconds / accounts) * 1000).toFixed(1),
    `${((((pass.serverSeconds + pass.databaseSeconds) / accounts) * cadenceAccounts * 100) / cadenceSeconds).toFixed(1)} %`,
    `${peakMb.toFixed(0)} MB`,
  ]);
}
emulator.kill();
database.stop();
rmSync(folder, { recursive: true });

/** Waits until all accounts were checked since the last hour; the times are those of the database. */
async function passOf(given: PostgresServer, child: ChildProcess): Promise<Pass> {
  const start = [cpuOf(child.pid), cpuOfDatabase()] as const;
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
    if (done >= accounts)
      return {
        seconds,
        serverSeconds: cpuOf(child.pid) - start[0],
        databaseSeconds: cpuOfDatabase() - start[1],
      };
  }
}

/** Before the server has made its tables, there is nothing. */
function tryRun(given: PostgresServer, sql: string): string {
  const exists = given.run(url, `select to_regclass('rampart_server.account') is not null`);
  return exists === 't' ? given.run(url, sql) : '0 0';
}

/** The processor time of a process in seconds, of all its threads. */
function cpuOf(pid: number | undefined): number {
  const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
  return (user + system) / 100;
}

/** The same of the database: its first process, those that have ended, and those that work for connections. */
function cpuOfDatabase(): number {
  const ended = statOf(postmaster).slice(13, 15).map(Number);
  const children = readdirSync('/proc').filter(
    (name) => /^\d+$/.test(name) && Number(statOf(Number(name))[1]) === postmaster,
  );
  return [postmaster, ...children.map(Number)].reduce(
    (sum, pid) => sum + cpuOf(pid),
    ended.reduce((sum, ticks) => sum + ticks, 0) / 100,
  );
}

/** The fields of a process after its name; none once it has ended. */
function statOf(pid: number | undefined): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
