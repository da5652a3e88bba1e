/**
 * `rampart server` with its embedded database: 100 accounts with 1,200 hosts each. The most memory of its process from its
 * start to the end of two checks of each account, and the times of searches among all hosts afterwards.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { buildServer } from '../bin/cli/build-server.ts';
import { openReport } from './report/report.ts';
import { percentile } from './server-checks/api-times.ts';
import { publishedProgram } from './server-checks/measured-server.ts';
import { peakMegabytes } from './server-checks/processor-time.ts';
import { serveAccounts } from './server-checks/served-accounts.ts';

const accounts = 100;
const hosts = 1_200;
const rounds = 20;
const texts = ['pc-0', '-0', 'zz', 'k-', '0012', 'lap-00', 'ws', 'srv', '99', 'kiosk'];
/** The requests of a token are limited, and so are those of a browser. */
const gapMs = 100;

const report = openReport(
  'Embedded server',
  `${(accounts * hosts).toLocaleString('en')} hosts in ${accounts} accounts, in one process with its database`,
);
const served = await serveAccounts(accounts, hosts, '1m');
const program = await publishedProgram();
await buildServer(join(dirname(program), '../dist/server'));
const server = spawn(process.execPath, [program, 'server', '--json'], {
  cwd: served.folder,
  env: { ...process.env, RAMPART_LOG: 'warn' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [started] = (await once(server.stdout, 'data')) as [Buffer];
const { url, login_link: link } = JSON.parse(started.toString()) as Record<'url' | 'login_link', string>;
const signedIn = await fetch(link, { redirect: 'manual' });
const cookie = signedIn.headers
  .getSetCookie()
  .map((each) => each.split(';')[0])
  .join('; ');

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(`${url}/api/v1/${path}`, { headers: { cookie } });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

interface Overview {
  readonly unchecked: number;
  readonly oldest_check: { readonly at: string } | null;
}

/** Waits until each account was checked after this time, in milliseconds since the epoch. */
async function checkedAfter(time: number): Promise<void> {
  for (;;) {
    const { unchecked, oldest_check: oldest } = await get<Overview>('overview');
    if (unchecked === 0 && oldest !== null && Date.parse(oldest.at) >= time) return;
    await pause(1_000);
  }
}

const began = Date.now();
await checkedAfter(0);
const firstSeconds = (Date.now() - began) / 1000;
await checkedAfter(Date.now());
const times: number[] = [];
let found = 0;
for (let round = 0; round < rounds; round += 1) {
  for (const text of texts) {
    const sent = performance.now();
    const page = await get<{ readonly items: readonly unknown[] }>(`hosts?q=${text}&limit=50`);
    times.push(performance.now() - sent);
    found += page.items.length > 0 ? 1 : 0;
    await pause(gapMs);
  }
}
const sorted = times.toSorted((a, b) => a - b);
const row = report.table(['question', 'result', 'goal']);
row(['first check of all accounts', `${firstSeconds.toFixed(0)} s`, '']);
row(['search, p50', `${percentile(sorted, 0.5).toFixed(0)} ms`, '']);
row(['search, p95', `${percentile(sorted, 0.95).toFixed(0)} ms`, '50 ms']);
row(['searches that find a host', `${Math.round((100 * found) / times.length)} %`, '']);
row(['peak memory', `${peakMegabytes(server.pid).toFixed(0)} MB`, '700 MB']);
server.kill('SIGTERM');
await once(server, 'close');
served.stop();
