/**
 * The checks of `rampart server` on PostgreSQL, compared with a program that only fetches and parses the same lists.
 * The first pass writes every host to the database, the second one only differences, and there are none. Meanwhile it
 * measures the API, and afterwards the time from the approval of a plan to the first call of its run. The emulator and
 * the database run in separate processes, on the same machine. `--share` waits for checks at a cadence of 10 minutes
 * instead of passes.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isQuick } from './measure/quick.ts';
import { processesInTurns } from './measure/whole-process.ts';
import { openReport } from './report/report.ts';
import { measureApi, percentile } from './server-checks/api-times.ts';
import { measureApprovals } from './server-checks/approval-times.ts';
import { measurePass, type Pass, startPass } from './server-checks/measured-pass.ts';
import { startServerIn } from './server-checks/measured-server.ts';
import { peakMegabytes } from './server-checks/processor-time.ts';
import { serveAccounts } from './server-checks/served-accounts.ts';

const { values } = parseArgs({
  options: {
    million: { type: 'boolean', default: false },
    share: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
const isLarge = values.million || values.share;
const accounts = isLarge ? 5_000 : isQuick ? 100 : 1_000;
const hosts = 200;
/** Machines are noisy: the bare loop follows each pass without changes, and the pair with the middle ratio counts. */
const passes = 3;
/** As many as one server checks at the same time. */
const parallel = 40;
/** The processor seconds of the cores of one cadence of 10 minutes. */
const cadenceSeconds = 600 * 2;
const cadenceAccounts = 5_000;
/** How long checks at their cadence are measured, in seconds. */
const shareSeconds = isQuick ? 10 : 180;
const approvals = isQuick ? 5 : 25;
const requests = isQuick ? 100 : 1_000;

const served = await serveAccounts(accounts, hosts, values.share ? '10m' : '60m');
const server = await startServerIn(served.folder);
const report = openReport(
  'Checks of a server',
  `${accounts.toLocaleString('en')} accounts of ${hosts} hosts checked by one server with PostgreSQL, compared with fetching and parsing the same lists, ${parallel} at a time`,
);

if (values.share) await reportShare();
else await reportPasses();
await server.stop();
served.stop();
if (!values.share) await reportApprovals();

async function reportPasses(): Promise<void> {
  const first = await measurePass(server, accounts);
  // What the first pass leaves to the database would otherwise be part of the second one.
  for (const statement of ['vacuum analyze', 'checkpoint']) server.ask(statement);
  const turns: { readonly pass: Pass; readonly lists: Awaited<ReturnType<typeof fetchLists>> }[] = [];
  for (let turn = 0; turn < passes; turn += 1) {
    startPass(server);
    turns.push({ pass: await measurePass(server, accounts), lists: await fetchLists() });
  }
  const ratioOf = ({ pass, lists }: (typeof turns)[number]) => lists.ms / pass.seconds;
  const middle = turns.toSorted((a, b) => ratioOf(a) - ratioOf(b))[passes >> 1];
  if (middle === undefined) throw new Error('no pass was measured');
  const { pass: second, lists } = middle;
  const peakMb = peakMegabytes(server.process.pid);
  const times = await measureApi(server, requests, async () => {
    startPass(server);
    await measurePass(server, accounts);
  });
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
    'goal',
  ]);
  const bareSeconds = lists.ms / 1000;
  row([
    'fetch and parse the lists',
    `${bareSeconds.toFixed(1)} s`,
    (accounts / bareSeconds).toFixed(0),
    ...Array.from({ length: 5 }, () => ''),
    `${lists.peakMb.toFixed(0)} MB`,
    '',
  ]);
  for (const [name, measured, goal] of [
    ['first pass: every host is written', first, ''],
    ['next pass: nothing has changed', second, '0.3'],
  ] as const)
    row([
      name,
      `${measured.seconds.toFixed(1)} s`,
      (accounts / measured.seconds).toFixed(0),
      (bareSeconds / measured.seconds).toFixed(2),
      goal,
      ((measured.serverSeconds / accounts) * 1000).toFixed(1),
      ((measured.databaseSeconds / accounts) * 1000).toFixed(1),
      `${((secondsOf(measured) / accounts) * cadenceAccounts * (100 / cadenceSeconds)).toFixed(1)} %`,
      `${peakMb.toFixed(0)} MB`,
      '400 MB',
    ]);
  const apiRow = report.table(['API while all accounts are checked', 'p50', 'p99', 'goal', 'worst']);
  apiRow([
    `${times.length.toLocaleString('en')} requests of the console`,
    ...[0.5, 0.99].map((share) => `${percentile(times, share).toFixed(0)} ms`),
    '100 ms',
    `${percentile(times, 1).toFixed(0)} ms`,
  ]);
}

/** The bare loop. */
async function fetchLists() {
  const [lists] = await processesInTurns(1, [
    {
      file: process.execPath,
      argv: [join(import.meta.dirname, 'accounts/parse-lists.mjs'), served.config, `${parallel}`],
      cwd: served.folder,
      env: {},
    },
  ]);
  if (lists === undefined) throw new Error('the lists were not fetched');
  return lists;
}

/** Real checks at their cadence, after the first one of each account. */
async function reportShare(): Promise<void> {
  await measurePass(server, accounts);
  const checks = () => Number(server.ask('select sum(checks) from rampart_server.history'));
  const before = { used: server.used(), checks: checks() };
  await pause(shareSeconds * 1000);
  const used = server.used();
  const seconds = used.server - before.used.server + used.database - before.used.database;
  const row = report.table(['cadence of 10 minutes', 'checks', 'of 2 cores', 'goal', 'peak memory']);
  row([
    `${shareSeconds} s`,
    (checks() - before.checks).toLocaleString('en'),
    `${((seconds / (shareSeconds * 2)) * 100).toFixed(1)} %`,
    '15 %',
    `${peakMegabytes(server.process.pid).toFixed(0)} MB`,
  ]);
}

async function reportApprovals(): Promise<void> {
  const { call, change } = await measureApprovals(approvals);
  const row = report.table(['from an approval to', 'p50', 'p95', 'worst', 'goal']);
  for (const [name, times] of [
    ['the first call of its run', call],
    ['its first change', change],
  ] as const)
    row([name, ...[0.5, 0.95, 1].map((share) => `${percentile(times, share).toFixed(0)} ms`), '2,000 ms']);
}

function secondsOf({ serverSeconds, databaseSeconds }: Pass): number {
  return serverSeconds + databaseSeconds;
}
