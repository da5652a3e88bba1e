import '../../tiers/uses-a-system.ts';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { nothingRecalled } from '../../../src/core/model/install-request.ts';
import type { AntivirusStep } from '../../../src/core/plan/types/step.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import { done, type StepResult, stepFailed } from '../../../src/run/apply/step-result.ts';
import { createJournal } from '../../../src/run/state/files/create-journal.ts';
import { openFilesState } from '../../../src/run/state/files/files-state.ts';
import { acquireLock, listLocks } from '../../../src/run/state/files/lock.ts';
import { listRunIds, readRun } from '../../../src/run/state/files/read-runs.ts';
import type { SealedJournal } from '../../../src/run/state/journal/journal.ts';
import type { FleetWriter } from '../../../src/service/wire/fleet.ts';
import { createCoordinator } from '../../../src/terraform/fleet/coordinator.ts';
import { openRecord, recallFleet, runRecorded } from '../../../src/terraform/fleet/run-record.ts';
import { at, hostId } from '../../given/fleet.ts';
import { givenLease } from '../../given/lease.ts';
import { givenPlan } from '../../given/plan.ts';
import { fleetWorld } from './fleet-world.ts';

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
const locks = () => listLocks(stateDir);
const openState = async () => ok(openFilesState(stateDir));
const recall = async (ms: number, from: string | null = stateDir) => {
  const opened = from === null ? {} : { openState: async () => ok(openFilesState(from)) };
  const recalled = await recallFleet({ ...opened, account, clock: clockAt(ms) });
  if (!recalled.ok) throw new Error(recalled.problems[0]?.message);
  return recalled.value.installs;
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
    expect(await locks()).toHaveLength(1);
    expect(record.value.journal.runId).toMatch(/^20261121T090000000Z-[0-9a-f]{6}$/);
    await record.value.journal.begin(step);
    await record.value.close(5);
    expect(await locks()).toEqual([]);
    const [runId = ''] = await listRunIds(stateDir);
    const run = await readRun(stateDir, runId);
    expect(run.ok && run.value.head).toMatchObject({ steps: 1, fleet_size: 1 });
    expect(run.ok && run.value.records.at(-1)).toMatchObject({ type: 'end', exit_code: 5 });
  });

  it('fails while another run has the account, and does not touch its lock', async () => {
    const clock = clockAt();
    const holder = { user: 'someone', machine: 'elsewhere', pid: 1, started: at, since: at };
    const options = { stateDir, account, clock, holder, timeoutMs: 0, isAlive: () => true };
    const lock = await acquireLock(options);
    if (!lock.ok) throw new Error('no lock');
    const start = clock.now();
    const aborted = await openRecord(plan, { openState, account, clock, signal: AbortSignal.abort() });
    expect(aborted.ok).toBe(false);
    expect(clock.now() - start).toBeLessThan(1_000);
    expect((await openRecord(plan, { openState, account, clock })).ok).toBe(false);
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
    expect(await locks()).toHaveLength(1);
    expect(await listRunIds(stateDir)).toEqual([]);
    await lock.value.release();
  });

  it("releases the lock if the journal can't be written", async () => {
    writeFileSync(join(stateDir, 'runs'), 'not a folder');
    const record = await openRecord(plan, { openState, account, clock: clockAt() });
    expect(record.problems).toMatchObject([{ code: 'journal' }]);
    expect(await locks()).toEqual([]);
  });
});

describe('the record of a step that belongs to no plan', () => {
  const options = () => ({ openState, account, clock: clockAt(), fleetSize: 7 });
  const cause = problem('step-failed', 'refused');
  const writer = {} as FleetWriter;

  async function recorded() {
    const [runId = ''] = await listRunIds(stateDir);
    const run = await readRun(stateDir, runId);
    if (!run.ok) throw new Error('no run');
    return run.value.records;
  }

  it('is on disk before the step is sent, and complete after it', async () => {
    const result = await runRecorded(step, options(), async (guarded) => {
      expect((await recorded()).map(({ type }) => type)).toEqual(['run', 'begin']);
      expect(await locks()).toHaveLength(1);
      expect(guarded(writer)).not.toBe(writer);
      return done;
    });
    expect(result).toBe(done);
    expect(await locks()).toEqual([]);
    const [head, begin, outcome, end] = await recorded();
    expect(head).toMatchObject({ steps: 1, fleet_size: 7, plan_checksum: '' });
    expect(begin).toMatchObject({ kind: 'antivirus', changes: [{ host_id: '1' }] });
    expect(outcome).toMatchObject({ outcome: 'done', failed_host_ids: [], in_doubt_host_ids: [] });
    expect(outcome).not.toHaveProperty('problem');
    expect(end).toMatchObject({ type: 'end', exit_code: 0 });
  });

  it.each<readonly [string, StepResult, object]>([
    [
      'a host that failed and one in doubt',
      {
        outcome: 'done',
        failedHosts: [
          { hostId: '1', problem: cause },
          { hostId: '2', problem: cause, inDoubt: true },
        ],
      },
      { outcome: 'done', failed_host_ids: ['1'], in_doubt_host_ids: ['2'] },
    ],
    [
      'a step that failed',
      stepFailed(cause),
      { outcome: 'failed', problem: { code: 'step-failed', message: 'refused' } },
    ],
  ])('contains %s', async (_what, result, outcome) => {
    await runRecorded(step, options(), async () => result);
    expect((await recorded()).slice(2)).toMatchObject([outcome, { type: 'end', exit_code: 5 }]);
  });

  it('is a condition of the step: nothing is sent without it', async () => {
    writeFileSync(join(stateDir, 'runs'), 'not a folder');
    const result = await runRecorded(step, options(), () => Promise.reject(new Error('it was sent')));
    expect(result).toMatchObject({ outcome: 'not-started', problem: { code: 'journal' }, failedHosts: [] });
    expect(await locks()).toEqual([]);
    const lost = { ...openFilesState(stateDir), startRun: async () => ok(failingJournal) };
    const unwritten = await runRecorded(step, { ...options(), openState: async () => ok(lost) }, () =>
      Promise.reject(new Error('it was sent')),
    );
    expect(unwritten).toMatchObject({ outcome: 'not-started', problem: { code: 'journal' } });
    expect(await locks()).toEqual([]);
  });

  it('is written for the installs of the coordinator, which are sent in one batch', async () => {
    const world = fleetWorld({ hosts: [{ id: '1' }, { id: '2' }] });
    const coordinator = createCoordinator({ session: world.session, openState });
    const ends = await Promise.all([
      coordinator.installAntivirus(hostId(1)),
      coordinator.installAntivirus(hostId(2)),
    ]);
    expect(ends).toMatchObject([{ value: 'asked' }, { value: 'asked' }]);
    const records = await recorded();
    expect(records[0]).toMatchObject({ fleet_size: 2 });
    expect(records[1]).toMatchObject({ changes: [{ host_id: '1' }, { host_id: '2' }] });
    expect(records.at(-1)).toMatchObject({ exit_code: 0 });
  });
});

const failingJournal: SealedJournal = {
  runId: 'a-run',
  seal: '',
  begin: async () => failed(problem('journal', 'the disk is full')),
  outcome: async () => {},
  end: async () => ok(''),
};

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
