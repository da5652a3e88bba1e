import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AntivirusStep } from '../../../../src/core/plan/types/step.ts';
import type { State } from '../../../../src/run/state/interface/state.ts';
import { describeProcess } from '../../../../src/run/state/lease/this-process.ts';
import { hasRunSince, recallRuns } from '../../../../src/run/state/recall-runs.ts';
import { systemClock } from '../../../../src/service/client/system-clock.ts';
import { givenPlan } from '../../../given/plan.ts';
import { hasPostgres } from '../../../given/postgres.ts';
import { type Backend, postgresBackend } from '../../../given/states.ts';
import { valueOf } from '../../../given/value-of.ts';

const account = { companyId: '42', service: 'https://service.example' };
const plan = givenPlan({
  entries: [{ id: 2, antivirus: true }],
  hosts: [{ id: 2, name: 'h2', antivirus: 'missing' }],
});
const install = plan.steps[0] as AntivirusStep;
const year = 365 * 24 * 3_600_000;

/** A machine whose clock is this far ahead. */
async function withClock<T>(aheadMs: number, work: () => Promise<T>): Promise<T> {
  const real = Date.now.bind(Date);
  const now = vi.spyOn(Date, 'now').mockImplementation(() => real() + aheadMs);
  try {
    return await work();
  } finally {
    now.mockRestore();
  }
}

async function requestInstall(state: State): Promise<void> {
  const holder = describeProcess(new Date(Date.now()).toISOString());
  const lease = valueOf(await state.acquire(account, { clock: systemClock, timeoutMs: 0, holder }));
  const head = { clock: systemClock, account, planChecksum: 'c', steps: 1, fleetSize: 1 };
  const journal = valueOf(await state.startRun(lease, head));
  valueOf(await journal.begin(install));
  await journal.outcome(install.id, 'done');
  await journal.end(0);
  await lease.release();
}

// A separate server, because PGlite uses the clock of this process.
describe.skipIf(!hasPostgres)('a machine whose clock is a year off', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await postgresBackend();
  }, 120_000);
  afterAll(() => backend.stop());

  it.each([
    ['ahead', year, 0],
    ['behind', -year, 0],
    ['ahead, after a run on a machine with the right time', 0, year],
    ['behind, after a run on a machine with the right time', 0, -year],
  ])('remembers requested installs (%s)', async (name, first, second) => {
    const label = name.replaceAll(/\W/g, '');
    await withClock(first, async () => requestInstall(await backend.open(`state-${label}`)));
    await withClock(second, async () => {
      const state = await backend.open(`state-${label}`);
      const recalled = valueOf(await recallRuns(state, account, { now: Date.now() }));
      const [request] = recalled.installs.requests.values();
      expect(request?.state).toBe('accepted');
      // Planning compares it with this machine's time.
      expect(Math.abs(Date.parse(request?.requestedAt ?? '') - Date.now())).toBeLessThan(60_000);
      const before = new Date(Date.now() - 60_000).toISOString();
      const after = new Date(Date.now() + 60_000).toISOString();
      expect(await hasRunSince(state, account, before)).toBe(true);
      expect(await hasRunSince(state, account, after)).toBe(false);
    });
  });

  it('counts as right if it differs only as much as clocks usually do', async () => {
    const state = await backend.open('state-close');
    expect(await withClock(2_000, () => state.clockSkewMs())).toMatchObject({ value: 0 });
    const off = await withClock(-year, async () => (await backend.open('state-close')).clockSkewMs());
    expect(Math.abs(valueOf(off) - year)).toBeLessThan(60_000);
  });
});
