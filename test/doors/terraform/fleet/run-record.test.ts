import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../src/core/lib/virtual-clock.ts';
import { nothingRecalled } from '../../../../src/core/model/install-request.ts';
import type { AntivirusStep } from '../../../../src/core/plan/types/step.ts';
import { ok } from '../../../../src/core/problem/result.ts';
import { openRecord, recallFleetInstalls } from '../../../../src/doors/terraform/fleet/run-record.ts';
import { createJournal } from '../../../../src/run/state/files/create-journal.ts';
import { openFilesState } from '../../../../src/run/state/files/files-state.ts';
import { acquireLock } from '../../../../src/run/state/files/lock.ts';
import { listRunIds, readRun } from '../../../../src/run/state/files/read-runs.ts';
import { at } from '../../../given/fleet.ts';
import { givenLease } from '../../../given/lease.ts';
import { givenPlan } from '../../../given/plan.ts';

const account = { companyId: '1234567890', service: 'https://remote.example.com' };
const plan = givenPlan({
  entries: [{ id: 1, antivirus: true }],
  hosts: [{ id: 1, name: 'h1', antivirus: 'missing' }],
});
const step = plan.steps[0] as AntivirusStep;
const day = 24 * 3_600_000;

let stateDir = '';
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'rampart-record-'));
});
afterEach(() => rmSync(stateDir, { recursive: true }));

const clockAt = (ms = 0) => createVirtualClock(Date.parse(at) + ms, { auto: true });
const locks = () => readdirSync(stateDir).filter((name) => name.startsWith('lock'));
const openState = async () => ok(openFilesState(stateDir));
const recall = async (ms: number, from: string | null = stateDir) => {
  const opened = from === null ? {} : { openState: async () => ok(openFilesState(from)) };
  const recalled = await recallFleetInstalls({ ...opened, account, clock: clockAt(ms) });
  if (!recalled.ok) throw new Error(recalled.problems[0]?.message);
  return recalled.value;
};

/** A run that requested the install `ms` after the first. */
async function requestInstall(ms: number, suffix: string): Promise<void> {
  const journal = await createJournal(
    stateDir,
    givenLease(),
    {
      account,
      clock: clockAt(ms),
      planChecksum: 'x',
      steps: 1,
      fleetSize: 1,
    },
    suffix,
  );
  if (!journal.ok) throw new Error('no journal');
  await journal.value.begin(step);
  await journal.value.outcome(step.id, 'done');
  await journal.value.end(0);
}

describe('the record of a run', () => {
  it('without a folder keeps nothing, and takes no lock', async () => {
    const options = { account, clock: clockAt() };
    const [first, second] = await Promise.all([openRecord(plan, options), openRecord(plan, options)]);
    if (!first.ok || !second.ok) throw new Error('no record');
    expect(first.value.journal.runId).toBe('');
    expect(await first.value.journal.begin(step)).toEqual({ ok: true, value: null, problems: [] });
    await first.value.journal.outcome(step.id, 'done');
    await first.value.close(0);
    expect(readdirSync(stateDir)).toEqual([]);
  });

  it('is a journal under the lock of the account, closed with the exit code', async () => {
    const record = await openRecord(plan, { openState, account, clock: clockAt() });
    if (!record.ok) throw new Error('no record');
    expect(locks()).toHaveLength(1);
    expect(record.value.journal.runId).toMatch(/^20261121T090000000Z-[0-9a-f]{6}$/);
    await record.value.journal.begin(step);
    await record.value.close(5);
    expect(locks()).toEqual([]);
    const [runId = ''] = await listRunIds(stateDir);
    const run = await readRun(stateDir, runId);
    expect(run.ok && run.value.head).toMatchObject({ steps: 1, fleet_size: 1 });
    expect(run.ok && run.value.records.at(-1)).toMatchObject({ type: 'end', exit_code: 5 });
  });

  it('fails while another run has the account, and leaves its lock alone', async () => {
    const clock = clockAt();
    const holder = { user: 'someone', host: 'elsewhere', pid: 1, started: at, since: at } as never;
    const options = { stateDir, account, clock, holder, timeoutMs: 0, isAlive: () => true };
    const lock = await acquireLock(options);
    if (!lock.ok) throw new Error('no lock');
    const start = clock.now();
    const aborted = await openRecord(plan, { openState, account, clock, signal: AbortSignal.abort() });
    expect(aborted.ok).toBe(false);
    expect(clock.now() - start).toBeLessThan(1_000);
    expect((await openRecord(plan, { openState, account, clock })).ok).toBe(false);
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
    expect(locks()).toHaveLength(1);
    expect(await listRunIds(stateDir)).toEqual([]);
    await lock.value.release();
  });

  it('gives the lock back if the journal cannot be written', async () => {
    writeFileSync(join(stateDir, 'runs'), 'not a folder');
    const record = await openRecord(plan, { openState, account, clock: clockAt() });
    expect(record.problems).toMatchObject([{ code: 'journal' }]);
    expect(locks()).toEqual([]);
  });
});

describe('the installs that earlier runs requested', () => {
  it('are none without a folder, and none in an empty one', async () => {
    expect(await recall(0, null)).toBe(nothingRecalled);
    expect(await recall(0)).toEqual(nothingRecalled);
  });

  it('are those of their window, except damaged journals and older runs', async () => {
    await requestInstall(0, 'aaaaaa');
    mkdirSync(join(stateDir, 'runs'), { recursive: true });
    writeFileSync(join(stateDir, 'runs', '20991231T000000000Z-ffffff.ndjson'), 'not a journal\n{}\n');
    const recalled = await recall(day - 1);
    expect([...recalled.requests]).toMatchObject([['1', { state: 'accepted' }]]);
    expect((await recall(day + 1)).requests.size).toBe(0);
  });

  it('include those of a long run that began before the window', async () => {
    // The journal of a run names its start; its records may be later.
    const clock = clockAt();
    const journal = await createJournal(
      stateDir,
      givenLease(),
      {
        account,
        clock,
        planChecksum: 'x',
        steps: 1,
        fleetSize: 1,
      },
      'bbbbbb',
    );
    if (!journal.ok) throw new Error('no journal');
    await clock.sleep(1.5 * day);
    await journal.value.begin(step);
    await journal.value.outcome(step.id, 'done');
    await journal.value.end(0);
    expect((await recall(2 * day)).requests.size).toBe(1);
    expect((await recall(2.5 * day + 1)).requests.size).toBe(0);
  });
});
