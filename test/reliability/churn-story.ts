/**
 * Shows that an account whose files and hosts change every few seconds gets what a person approves, and converges:
 * `node test/reliability/churn-story.ts [minutes]`. Starts PostgreSQL, the emulator and a real server, and prints the
 * link of the console, every plan, approval and run, and every problem. Build the console before: `npm run build`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { createEmulatedAccounts } from '../../src/service/emulator/accounts.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { startPostgres } from '../given/postgres.ts';
import { program, programEnvironment } from '../given/program.ts';

const [minutes = 8] = process.argv.slice(2).map(Number);
const size = 12;
const most = 3;
const second = 1_000;
const psk = `psk+${'Zx9/'.repeat(31)}`;
const ids = Array.from({ length: size }, (_, at) => at + 1);
const began = Date.now();
const say = (text: string) =>
  console.log(`${String(Math.round((Date.now() - began) / second)).padStart(4)} s  ${text}`);

const postgres = await startPostgres();
const emulated = createEmulatedAccounts([
  {
    state: fleetState({
      psk,
      companyId: '1000',
      groups: [],
      hosts: ids.map((id) => ({ id: String(id), name: `OLD-${id}` })),
    }),
    clock: systemClock,
    recordRequests: true,
    faults: () => [{ kind: 'latency', ms: 300 }] as const,
  },
]);
if (!emulated.ok) throw new Error(emulated.problems[0]?.message);
const [emulator] = emulated.value.accounts;
const served = await serve(emulated.value);
const folder = mkdtempSync(join(tmpdir(), 'rampart-churn-'));
const versions = ids.map(() => 0);
const write = (isOld = false) =>
  writeFileSync(
    join(folder, 'fleet.yaml'),
    [
      'version: 1',
      'hosts:',
      ...ids.map(
        (id, at) => `  - { id: ${id}, name: ${isOld ? `OLD-${id}` : `NEW-${id}-V${versions[at]}`} }`,
      ),
      'rules:',
      `  - { name: fresh, when: 'host.name.startsWith("FRESH-")', rename: 'PC-\${host.id}' }`,
      `policy: { limits: { rename: ${most} } }`,
      '',
    ].join('\n'),
  );
write(true);
writeFileSync(
  join(folder, 'rampart.config.yaml'),
  'defaults: { files: [fleet.yaml] }\naccounts:\n  berlin: { companyId: "1000", mode: correct }\nserver: { cadence: 1m }\n',
);
const child = spawn(process.execPath, [program, 'server', '--json', '--listen', '127.0.0.1:0'], {
  cwd: folder,
  env: {
    ...programEnvironment,
    HOME: folder,
    RAMPART_BASE_URL: served.url,
    RAMPART_PSK: psk,
    RAMPART_STATE_URL: postgres.createDatabase(),
  },
  stdio: ['ignore', 'pipe', 'ignore'],
});
let isOver = false;
const end = async () => {
  isOver = true;
  child.kill();
  door.close();
  if (child.exitCode === null) await once(child, 'exit');
  await served.close();
  postgres.stop();
  rmSync(folder, { recursive: true, force: true });
};
process.once('SIGINT', () => void end());

let printed = '';
let url = '';
let link = '';
for await (const chunk of child.stdout) {
  printed += String(chunk);
  try {
    ({ url, login_link: link } = JSON.parse(printed) as { url: string; login_link: string });
    break;
  } catch {
    // The rest of the document follows.
  }
}
const login = await fetch(link, { redirect: 'manual' });
const cookies = login.headers.getSetCookie();
const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
// The link works once, and cookies apply to all ports: this one signs a browser in to the session of this script.
const door = createServer((_, answer) => {
  answer.writeHead(302, { 'set-cookie': cookies, location: `${url}/accounts/berlin` }).end();
});
door.listen(0, '127.0.0.1');
await once(door, 'listening');
const { port } = door.address() as AddressInfo;
const api = async <T>(path: string, body?: object): Promise<T> => {
  const headers = { cookie, 'content-type': 'application/json', 'x-rampart-csrf': csrf };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${url}/api/v1${path}`, { headers, ...sent });
  const read = (await answer.json()) as T & { readonly message?: string };
  if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(read)}`);
  return read;
};
let csrf = '';
({ csrf } = await api<{ csrf: string }>('/me'));
say(`the console is at http://127.0.0.1:${port}`);

interface Plan {
  readonly id: string;
  readonly state: string;
  readonly checksum: string;
  readonly changes: number;
  readonly exceeds?: readonly { readonly limit: string; readonly value: number }[];
  readonly required: { readonly numbers?: readonly { readonly limit: string; readonly value: number }[] };
}
interface Run {
  readonly id: string;
  readonly state: string;
  readonly steps: { readonly done: number; readonly total: number; readonly skipped: number };
}
const health = async () => (await api<{ health: string | null }>('/accounts/berlin')).health;
const seen = new Map<string, string>();
const bad: string[] = [];
/** Prints each run when its state changes. */
async function lookAtRuns(): Promise<void> {
  const { items } = await api<{ items: readonly Run[] }>('/runs?account=berlin&limit=50');
  for (const { id, state, steps } of items.toReversed()) {
    if (seen.get(id) === state) continue;
    seen.set(id, state);
    say(
      `run ${id.slice(0, 8)} ${state}: ${steps.done} of ${steps.total} steps done, ${steps.skipped} left out`,
    );
    if (state === 'failed' || state === 'in_doubt') {
      bad.push(id);
      say(JSON.stringify((await api<{ problems?: unknown }>(`/runs/${id}`)).problems));
    }
  }
}
async function approveOpen(): Promise<void> {
  const { items } = await api<{ items: readonly Plan[] }>('/plans?account=berlin&state=waiting');
  const [plan] = items;
  if (plan === undefined) return;
  say(`plan ${plan.id.slice(0, 8)} waits: ${plan.changes} changes; someone reads it for 20 seconds`);
  await pause(20 * second);
  const detail = await api<Plan>(`/plans/${plan.id}`);
  const numbers = Object.fromEntries(
    (detail.required.numbers ?? detail.exceeds ?? []).map(({ limit, value }) => [limit, value]),
  );
  try {
    await api(`/plans/${plan.id}/approve`, { checksum: plan.checksum, numbers });
    say(`plan ${plan.id.slice(0, 8)} is approved`);
  } catch (error) {
    say(`plan ${plan.id.slice(0, 8)} is not approved: ${String(error)}`);
  }
}
const converges = async (mostMs: number): Promise<boolean> => {
  for (const until = Date.now() + mostMs; Date.now() < until && !isOver; await pause(2 * second)) {
    await lookAtRuns();
    if ((await health()) === 'converged') return true;
  }
  return false;
};

say(`converged at the beginning: ${await converges(120 * second)}`);
write();
const stopAt = Date.now() + minutes * 60 * second;
const every = async (ms: number, act: (turn: number) => void | Promise<void>) => {
  for (let turn = 1; Date.now() < stopAt && !isOver; turn += 1) {
    await pause(ms);
    await act(turn);
  }
};
await Promise.all([
  every(10 * second, (turn) => {
    versions[turn % most] = (versions[turn % most] ?? 0) + 1;
    write();
  }),
  every(25 * second, (turn) => {
    emulator?.edit({ kind: 'rename', id: String(1 + (turn % size)), name: `BY-HAND-${turn}` });
  }),
  every(60 * second, (turn) => {
    emulator?.edit({ kind: 'enroll', host: { id: String(100 + turn), name: `FRESH-${turn}` } });
  }),
  every(2 * second, lookAtRuns),
  every(5 * second, approveOpen),
]);
say('the edits are over');
const last = async () => {
  while (!isOver && !(await converges(20 * second))) await approveOpen();
};
await Promise.race([last(), pause(300 * second)]);
const found = await health();
say(`${found}; ${seen.size} runs, ${bad.length} failed or in doubt`);
await end();
process.exit(found === 'converged' && bad.length === 0 ? 0 : 1);
