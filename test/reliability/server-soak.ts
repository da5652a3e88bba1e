/**
 * Kills, freezes and wakes real servers at random while they run changes of many accounts, and crashes their database:
 * `node test/reliability/server-soak.ts [seconds] [accounts] [milliseconds of a call] [share of faults that crash the
 * database] [seconds between faults]`. Prints what must be 0, and the longest takeovers: after a kill, after a freeze that
 * lasts longer than any lease, after one of both if more faults came before its end (the server that took over may have died
 * as well), and if the database crashed shortly before or during the takeover. Of the slowest ones, prints the phases.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { accountKey } from '../../src/core/model/account.ts';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { createEmulatedAccounts } from '../../src/service/emulator/accounts.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { startPostgres } from '../given/postgres.ts';
import { program, programEnvironment } from '../given/program.ts';
import { readWrite } from './call-log.ts';
import { type HeldLease, notePhases, phasesOf } from './takeover-phases.ts';

const [seconds = 300, accounts = 1_000, latency = 20, crashShare = 0.1, between = 4] = process.argv
  .slice(2)
  .map(Number);
const hosts = 5;
const servers = 3;
const psk = `psk+${'Zx9/'.repeat(31)}`;
const preload = `--import=${new URL('./preload/other-machine.ts', import.meta.url).href}`;

const postgres = await startPostgres();
const url = postgres.createDatabase();
const emulated = createEmulatedAccounts(
  Array.from({ length: accounts }, (_, at) => ({
    state: fleetState({
      psk,
      companyId: String(1_000_000 + at),
      groups: [],
      hosts: Array.from({ length: hosts }, (_, host) => {
        const id = String((at + 1) * 100 + host);
        return { id, name: `OLD-${id}` };
      }),
    }),
    clock: systemClock,
    recordRequests: true,
    credentials: { loginSessionId: `session-${at}` },
    faults: () => [{ kind: 'latency', ms: latency }] as const,
  })),
);
if (!emulated.ok) throw new Error(emulated.problems[0]?.message);
const served = await serve(emulated.value);
const folders: string[] = [];
const config = `defaults: { files: [fleet.yaml], mode: correct }
accounts:
${emulated.value.accounts.map((_, at) => `  a${at}: { companyId: "${1_000_000 + at}" }`).join('\n')}
server:
  cadence: 1m
`;

interface Running {
  readonly child: ChildProcess;
  /** When it wakes, in milliseconds since the epoch; undefined if it is not frozen. */
  wakesAt?: number | undefined;
}

/** Another server has taken everything over by then. */
const frozenMs = 30_000;

function start(): Running {
  const folder = mkdtempSync(join(tmpdir(), 'rampart-soak-'));
  folders.push(folder);
  writeFileSync(join(folder, 'rampart.config.yaml'), config);
  writeFileSync(
    join(folder, 'fleet.yaml'),
    'version: 1\nrules:\n  - name: all\n    when: "true"\n    rename: "NEW-${host.id}"\n',
  );
  const child = spawn(process.execPath, [preload, program, 'server', '--no-http', '--quiet'], {
    cwd: folder,
    env: {
      ...programEnvironment,
      HOME: folder,
      RAMPART_BASE_URL: served.url,
      RAMPART_PSK: psk,
      RAMPART_STATE_URL: url,
    },
    stdio: 'ignore',
  });
  return { child };
}

const running = Array.from({ length: servers }, start);
const held: HeldLease[] = [];
const counts = { kills: 0, freezes: 0, crashes: 0 };
const loads: number[] = [];
/** When servers were killed or frozen, in milliseconds since the epoch. */
const faults: number[] = [];
/** When the database crashed. */
const crashes: number[] = [];
/** A lease and the heartbeat of a job may still be late from a crash before, in milliseconds. */
const crashEffectMs = 15_000;
const query = (sql: string) => {
  try {
    return postgres.run(url, sql);
  } catch {
    return '';
  }
};
const lines = (text: string) => text.split('\n').filter((line) => line !== '');
// The first faults come once the first checks are done: servers that are still starting do nothing yet.
while (Number(query('select count(*) from rampart_server.account where health is not null') || 0) === 0)
  await pause(500);
query(notePhases);
const names = new Map(
  emulated.value.accounts.map((_, at) => [
    accountKey({ service: served.url, companyId: String(1_000_000 + at) }),
    `a${at}`,
  ]),
);
/** The leases that the process holds, which another one must take over. */
function holdAll(by: HeldLease['by'], { child }: Running): void {
  const at = Date.now();
  faults.push(at);
  const leases = query(
    `select account || ' ' || epoch || ' ' || extract(epoch from until) from rampart.lease
     where (holder ->> 'pid')::integer = ${child.pid} and until > clock_timestamp()`,
  );
  for (const line of lines(leases)) {
    const [key = '', epoch, until] = line.split(' ');
    held.push({
      by,
      at,
      key,
      account: names.get(key) ?? '',
      epoch: Number(epoch),
      until: Number(until) * 1_000,
    });
  }
}
const end = Date.now() + seconds * 1_000;
while (Date.now() < end) {
  await pause(between * (0.5 + Math.random()) * 1_000);
  loads.push(loadavg()[0] ?? 0);
  for (const one of running) {
    if (one.wakesAt === undefined || one.wakesAt > Date.now()) continue;
    one.child.kill('SIGCONT');
    one.wakesAt = undefined;
  }
  const awake = running.filter(({ wakesAt }) => wakesAt === undefined);
  const one = awake[Math.floor(Math.random() * awake.length)];
  if (one === undefined) continue;
  const what = Math.random();
  if (what < (1 - crashShare) * 0.45) {
    one.child.kill('SIGKILL');
    counts.kills += 1;
    holdAll('kill', one);
    running[running.indexOf(one)] = start();
  } else if (what < 1 - crashShare) {
    // Another server must be left to take over.
    if (awake.length < running.length) continue;
    one.child.kill('SIGSTOP');
    one.wakesAt = Date.now() + frozenMs;
    counts.freezes += 1;
    holdAll('freeze', one);
  } else {
    crashes.push(Date.now());
    postgres.halt();
    counts.crashes += 1;
    await pause(2_000);
    await postgres.start();
  }
}
for (const { child } of running) child.kill('SIGCONT');
for (let left = 180; left > 0 && converged() < accounts; left -= 1) await pause(1_000);

function converged(): number {
  return Number(query(`select count(*) from rampart_server.account where health = 'converged'`) || 0);
}

const writes = emulated.value.accounts.flatMap(({ requests }) =>
  requests.flatMap((request) => readWrite(request) ?? []),
);
const keys = writes.map(({ hosts: those }) => those.join());
const begun = new Set(
  lines(
    query(
      `select c ->> 'host_id' from rampart.record, jsonb_array_elements(body -> 'changes') c where type = 'begin'`,
    ),
  ),
);
const takeovers = held.flatMap((lease) => {
  const phases = phasesOf(lease, query);
  if (phases === undefined) return [];
  const taken = lease.at + phases.begun * 1_000;
  const crashed = crashes.some((crash) => crash > lease.at - crashEffectMs && crash < taken);
  const several = faults.some((fault) => fault > lease.at && fault < taken);
  return [{ after: crashed ? 'crash' : several ? 'several' : lease.by, phases }];
});
function takenAfter(what: HeldLease['by'] | 'several' | 'crash') {
  const those = takeovers.flatMap(({ after, phases }) => (after === what ? [phases] : []));
  const slowest = those.toSorted((a, b) => b.begun - a.begun);
  return { takeovers: those.length, longest_s: slowest[0]?.begun ?? null, slowest: slowest.slice(0, 2) };
}
const overlapping = query(`
  select count(*) from rampart.run earlier join rampart.run later
    on later.account = earlier.account
      and (later.head ->> 'epoch')::integer > (earlier.head ->> 'epoch')::integer
  where exists (select from rampart.record
    where run_id = earlier.run_id and type = 'begin' and body ->> 'at' > later.head ->> 'at')`);
process.stdout.write(
  `${JSON.stringify({
    seconds,
    accounts,
    ...counts,
    converged: converged(),
    writes: writes.length,
    expected: accounts * hosts,
    repeated: keys.length - new Set(keys).size,
    outside: writes.filter(({ hosts: those }) => those.some((host) => !begun.has(host))).length,
    overlapping: Number(overlapping),
    after_kill: takenAfter('kill'),
    after_freeze: takenAfter('freeze'),
    after_several_faults: takenAfter('several'),
    after_either_with_database_crash: takenAfter('crash'),
    load: { mean: loads.reduce((sum, load) => sum + load, 0) / loads.length, most: Math.max(...loads) },
  })}\n`,
);
for (const { child } of running) child.kill('SIGKILL');
await served.close();
postgres.stop();
for (const folder of folders) rmSync(folder, { recursive: true, force: true });
process.exit(0);
