/**
 * A rollout over many accounts, 2% of which refuse every change, by real processes over sockets with their state in
 * PostgreSQL: it must stop at `--max-failed`, and continue on another machine after kill -9, without two runs of an
 * account at the same time and without a change that is sent twice.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgresState } from '../src/run/state/postgres/postgres-state.ts';
import { systemClock } from '../src/service/client/system-clock.ts';
import { createEmulatedAccounts } from '../src/service/emulator/accounts.ts';
import { fleetState } from '../src/service/emulator/fleet-state.ts';
import { serve } from '../src/service/emulator/serve.ts';
import { startPostgres } from '../test/given/postgres.ts';
import { buildPublished } from './measure/published.ts';
import { isQuick } from './measure/quick.ts';
import { openReport } from './report/report.ts';

const accounts = isQuick ? 100 : 1000;
const faultyEvery = 50;
const faulty = accounts / faultyEvery;
const parallel = 8;
const psk = `psk+${'Zx9/'.repeat(31)}`;
const hosts = [1, 2].map((id) => ({ id: String(id), name: `OLD-${id}` }));

let renames = 0;
let onRename: (renames: number) => void = () => {};
const options = Array.from({ length: accounts }, (_, at) => ({
  state: fleetState({ psk, companyId: String(10_000 + at), hosts }),
  clock: systemClock,
  recordRequests: true,
  credentials: { loginSessionId: `session-${at}` },
  hooks: {
    beforeEach: ({ action }: { readonly action: string | null }) => {
      if (action !== 'renameHost') return;
      renames += 1;
      onRename(renames);
    },
  },
  ...(at % faultyEvery === 10
    ? { faults: [{ action: 'renameHost' as const, effect: { kind: 'status' as const, status: 400 } }] }
    : {}),
}));
const emulated = createEmulatedAccounts(options);
if (!emulated.ok) throw new Error(emulated.problems[0]?.message);
const served = await serve(emulated.value);
const database = await startPostgres();
const stateUrl = database.createDatabase();
const state = openPostgresState(stateUrl);
await state.migrate();

const root = mkdtempSync(join(tmpdir(), 'rampart-rollout-'));
const published = await buildPublished(root);
const names = options.map((_, at) => `a${String(at).padStart(4, '0')}`);

/** A separate folder for each machine. */
function machine(name: string): string {
  const folder = join(root, name);
  mkdirSync(folder);
  const lines = names.map((each, at) => `  ${each}: { companyId: "${10_000 + at}" }`);
  writeFileSync(
    join(folder, 'rampart.config.yaml'),
    `defaults: { files: [fleet.yaml] }\naccounts:\n${lines.join('\n')}\n`,
  );
  writeFileSync(
    join(folder, 'fleet.yaml'),
    'version: 1\nhosts:\n  - { id: 1, name: NEW-1 }\n  - { id: 2, name: NEW-2 }\n',
  );
  return folder;
}

/** Makes a process believe that it runs on another machine. */
const elsewhere = `--import=${new URL('../test/reliability/preload/other-machine.ts', import.meta.url).href}`;

function start(cwd: string, argv: readonly string[]) {
  const program = cwd.endsWith('there') ? [elsewhere, published] : [published];
  const child = spawn(process.execPath, [...program, ...argv], {
    cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      RAMPART_BASE_URL: served.url,
      RAMPART_PSK: psk,
      RAMPART_STATE_URL: stateUrl,
    },
    stdio: 'ignore',
  });
  return { child, ended: once(child, 'close').then(([code]) => code as number | null) };
}

async function status() {
  const ids = await state.rollouts.list();
  const read = await state.rollouts.read((ids.ok ? ids.value[0] : undefined) ?? '');
  if (!read.ok || read.value === null) throw new Error('there is no rollout');
  const { rolloutOf } = await import('../src/run/state/rollout/rollout.ts');
  const rollout = rolloutOf(read.value);
  const of = (wanted: string) =>
    [...rollout.accounts.values()].filter((each) => each.status === wanted).length;
  return { state: rollout.state, done: of('done'), failed: of('failed'), pending: of('pending') };
}

/** Hosts with more than one rename that the service carried out. */
function repeatedWrites(): number {
  return (emulated.ok ? emulated.value.accounts : []).reduce((sum, { requests }) => {
    const done = requests.filter(({ action, status: code }) => action === 'renameHost' && (code ?? 0) < 300);
    return sum + done.length - new Set(done.map(({ path }) => path)).size;
  }, 0);
}

/** Pairs of runs of one account that overlap in time. */
async function overlaps(): Promise<number> {
  const listed = await state.listRuns({});
  if (!listed.ok) throw new Error(listed.problems[0]?.message);
  const byAccount = Map.groupBy(listed.value, ({ head }) => head.account.company_id);
  let found = 0;
  for (const runs of byAccount.values()) {
    const sorted = runs.toSorted((a, b) => (a.head.at < b.head.at ? -1 : 1));
    found += sorted.filter((run, at) => at > 0 && run.head.at < (sorted[at - 1]?.lastAt ?? '')).length;
  }
  return found;
}

const report = openReport(
  'Rollouts',
  `${accounts.toLocaleString('en')} accounts with two renames each, ${faulty} of them faulty, ${parallel} at a time, as whole processes with their state in PostgreSQL`,
);
const row = report.table(['step', 'time', 'exit', 'done', 'failed', 'pending']);
async function step(name: string, work: () => Promise<number | null>): Promise<void> {
  const begin = performance.now();
  const code = await work();
  const { done, failed, pending } = name.startsWith('plan')
    ? { done: 0, failed: 0, pending: 0 }
    : await status();
  const time = `${((performance.now() - begin) / 1000).toFixed(1)} s`;
  row([name, time, String(code ?? 'killed'), String(done), String(failed), String(pending)]);
}

const here = machine('here');
const there = machine('there');
const at = ['--parallel', String(parallel)];
await step(
  'plan --out plans/',
  () => start(here, ['plan', '--accounts', 'true', '--out', 'plans/', ...at]).ended,
);
await step(
  'apply plans/ --max-failed 1%',
  () => start(here, ['apply', 'plans/', '--max-failed', '1%', ...at]).ended,
);
const half = renames + accounts / 2;
await step('rollout continue, killed with -9', () => {
  const { child, ended } = start(here, ['rollout', 'continue', '--max-failed', '2%']);
  onRename = (count) => {
    if (count >= half) child.kill('SIGKILL');
  };
  return ended;
});
onRename = () => {};
await step(
  'rollout continue elsewhere',
  () => start(there, ['rollout', 'continue', '--max-failed', '2%']).ended,
);
const last = await status();
report.note(
  `Overlapping runs: ${await overlaps()}. Repeated writes: ${repeatedWrites()}. With --max-failed 1%, the rollout stops at the failure after ${Math.floor(accounts / 100)}; at the end it is ${last.state}.`,
);
await state.close();
database.stop();
await served.close();
rmSync(root, { recursive: true, force: true });
