/**
 * A whole apply of renames over real sockets, to an emulator in a separate process, compared with plain loops of
 * `undici.request` that send the same calls: calls a second, CPU of the sending process, and its live memory.
 * `--soak` sends 100,000 renames instead of 16,000.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { openPostgresState } from '../src/run/state/postgres/postgres-state.ts';
import { startPostgres } from '../test/given/postgres.ts';
import { jobVariable, type SendJob, type Sent } from './loopback/sent.ts';
import { median } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { runProcess } from './measure/whole-process.ts';
import { openReport } from './report/report.ts';

const folder = join(import.meta.dirname, 'loopback');
const isSoak = process.argv.includes('--soak');
const size = isSoak ? 100_000 : isQuick ? 2_000 : 16_000;
const rounds = isSoak || isQuick ? 1 : 5;
interface Way {
  readonly name: string;
  readonly way: SendJob['way'];
  readonly atOnce: number;
  readonly shared?: true;
}
const ways = [
  { name: 'plain undici, 64 loops', way: 'bare', atOnce: 64 },
  { name: 'plain undici, 16 loops', way: 'bare', atOnce: 16 },
  { name: 'rampart apply', way: 'rampart', atOnce: 0 },
  { name: 'rampart apply, state in PostgreSQL', way: 'rampart', atOnce: 0, shared: true },
] as const satisfies readonly Way[];

const report = openReport(
  'Apply over loopback',
  `${size.toLocaleString('en')} renames by the apply engine (pacer, journal with fsync or in PostgreSQL, events as lines), compared with plain loops over one undici pool, in turns`,
);
const database = await startPostgres({ durable: true });
const stateUrl = database.createDatabase();
await createTables(stateUrl);
const { server, address } = await startService();
const runs = ways.map((): Sent[] => []);
for (let generation = 1; generation <= rounds * ways.length; generation += 1) {
  const index = (generation - 1) % ways.length;
  const { way, atOnce, shared }: Way = ways[index] as Way;
  const state = shared === undefined ? {} : { stateUrl };
  runs[index]?.push(await send({ ...address, way, atOnce, size, generation, ...state }));
}
server.disconnect();
database.stop();

const row = report.table([
  'sender',
  'at once',
  'calls/s',
  'ratio',
  'without the first quarter',
  'ratio',
  'CPU ms per call',
  'ratio',
  'live MB at 1/4 and at the end',
]);
const middle = (all: readonly Sent[] = [], of: (sent: Sent) => number) => median(all.map(of));
const [base] = runs;
for (const [index, { name }] of ways.entries()) {
  const columns = [(sent: Sent) => sent.rate, (sent: Sent) => sent.laterRate, (sent: Sent) => sent.cpuMs];
  const cells = columns.flatMap((of) => {
    const value = middle(runs[index], of);
    const ratios = (runs[index] ?? []).map((sent, round) => of(sent) / of(base?.[round] as Sent));
    return [value.toFixed(value < 10 ? 2 : 0), median(ratios).toFixed(2)];
  });
  const heap = [0, 1].map((at) => middle(runs[index], ({ heapMb }) => heapMb[at] as number).toFixed(0));
  const atOnce = middle(runs[index], (sent) => sent.atOnce).toFixed(0);
  row([name, atOnce, ...cells, heap.join(' → ')]);
}
report.note(
  'Ratios are medians of all turns, compared with the 64 loops of the same turn. The engine has 64 connections too. The goal for the rate is 0.7, and with the state in PostgreSQL 0.6 of the rate with files. The pacer starts with 10 calls per second because it does not know the limit, so a short run is dominated by finding the rate.',
);

async function createTables(url: string): Promise<void> {
  const state = openPostgresState(url);
  const migrated = await state.migrate();
  if (!migrated.ok) throw new Error(migrated.problems[0]?.message);
  await state.close();
}

async function startService(): Promise<{
  readonly server: ChildProcess;
  readonly address: Pick<SendJob, 'url' | 'companyId' | 'psk'>;
}> {
  const server = fork(join(folder, 'server.ts'), [String(size)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    server.once('error', reject);
    server.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
  });
  const { url, companyId, psk } = JSON.parse(line) as Pick<SendJob, 'url' | 'companyId' | 'psk'>;
  return { server, address: { url, companyId, psk } };
}

async function send(job: SendJob): Promise<Sent> {
  const argv = ['--expose-gc', join(folder, 'send.ts')];
  const env = { [jobVariable]: JSON.stringify(job) };
  return JSON.parse((await runProcess({ file: process.execPath, argv, env })).stdout) as Sent;
}
