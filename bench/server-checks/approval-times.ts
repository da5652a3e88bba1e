import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { createEmulatedAccounts } from '../../src/service/emulator/accounts.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { type MeasuredServer, startServerIn, until } from './measured-server.ts';

const psk = `psk+${'Zx9/'.repeat(31)}`;

/** From the approval of a plan until the service gets something, in milliseconds. */
export interface ApprovalTimes {
  /** Any call of the run. */
  readonly call: readonly number[];
  /** Its first change. */
  readonly change: readonly number[];
}

/** Approves the plan of each account through the API, one after another; the times are sorted. */
export async function measureApprovals(accounts: number): Promise<ApprovalTimes> {
  const calls = new Map<string, number>();
  const changes = new Map<string, number>();
  const names = Array.from({ length: accounts }, (_, at) => `a${at}`);
  const emulated = createEmulatedAccounts(
    names.map((name, at) => ({
      state: fleetState({ psk, companyId: String(10_000 + at), hosts: [{ id: '1', name: 'OLD-1' }] }),
      clock: systemClock,
      recordRequests: false,
      credentials: { loginSessionId: `session-${at}` },
      hooks: {
        beforeEach({ action }: { readonly action: string | null }) {
          if (!calls.has(name)) calls.set(name, performance.now());
          if (action === 'renameHost' && !changes.has(name)) changes.set(name, performance.now());
        },
      },
    })),
  );
  if (!emulated.ok) throw new Error(emulated.problems[0]?.message);
  const served = await serve(emulated.value);
  const folder = mkdtempSync(join(tmpdir(), 'rampart-approvals-'));
  writeFileSync(join(folder, 'fleet.yaml'), 'version: 1\nhosts:\n  - { id: 1, name: NEW-1 }\n');
  writeFileSync(
    join(folder, 'rampart.config.yaml'),
    `defaults: { mode: propose, files: [fleet.yaml], baseUrl: "${served.url}", key: { variable: BENCH_PSK } }
accounts:
${names.map((name, at) => `  ${name}: { companyId: "${10_000 + at}" }`).join('\n')}
server: { cadence: 60m, listen: "127.0.0.1:0" }
`,
  );
  const server = await startServerIn(folder, { BENCH_PSK: psk });
  const waiting = () => server.ask(`select count(*) from rampart_server.plan where state = 'waiting'`);
  await until(server, () => Number(waiting()) === accounts);
  const plans = server
    .ask('select account, id, checksum from rampart_server.plan order by account')
    .split('\n')
    .map((line) => line.split('|'));
  const times = { call: [] as number[], change: [] as number[] };
  for (const [account = '', id = '', checksum = ''] of plans) {
    calls.clear();
    const start = performance.now();
    await approve(server, id, checksum);
    await until(server, () => changes.has(account), 10);
    times.call.push((calls.get(account) ?? Number.NaN) - start);
    times.change.push((changes.get(account) ?? Number.NaN) - start);
  }
  await server.stop();
  await served.close();
  rmSync(folder, { recursive: true });
  const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
  return { call: sorted(times.call), change: sorted(times.change) };
}

async function approve({ url, token }: MeasuredServer, id: string, checksum: string): Promise<void> {
  const answer = await fetch(`${url}/api/v1/plans/${encodeURIComponent(id)}/approve`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({ checksum, numbers: {} }),
  });
  if (!answer.ok) throw new Error(`the approval of ${id} failed: ${answer.status} ${await answer.text()}`);
}
