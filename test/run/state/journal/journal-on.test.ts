import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../../src/core/lib/virtual-clock.ts';
import type { AntivirusStep, Step, StepId } from '../../../../src/core/plan/types/step.ts';
import { ok, problem } from '../../../../src/core/problem/problem.ts';
import { headRecord, journalOn, runIdAfter, runIdOf } from '../../../../src/run/state/journal/journal-on.ts';
import type { JournalRecord } from '../../../../src/run/state/journal/record.ts';
import { digestOf, sumUp } from '../../../../src/run/state/journal/run-digest.ts';
import { sealRun } from '../../../../src/run/state/journal/seal-run.ts';
import { at } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';
import { givenHead, timeAt } from '../../../given/runs.ts';

const plan = givenPlan({
  entries: [
    { id: 1, name: 'B' },
    { id: 2, antivirus: true },
    { id: 3, ensure: 'absent' },
  ] as never,
  hosts: [
    { id: 1, name: 'A' },
    { id: 2, name: 'h2', antivirus: 'missing' },
    { id: 3, name: 'h3' },
  ],
});
const stepOf = (kind: Step['kind']) => {
  const found = plan.steps.find((each) => each.kind === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
};
const rename = stepOf('rename');
const install = stepOf('antivirus') as AntivirusStep;
const remove = stepOf('delete');
const refresh = { ...install, id: 'r1' as StepId, kind: 'refresh' } as unknown as Step;
const id = (text: string) => text as StepId;

function given(failing: readonly string[] = []) {
  const calls: string[] = [];
  const records: JournalRecord[] = [];
  const call = async (what: string, record?: JournalRecord) => {
    // Closing is fast, so that a record that nobody waits for comes after it.
    if (what !== 'close') await new Promise((resolve) => setImmediate(resolve));
    calls.push(record === undefined ? what : `${what} ${record.type}`);
    if (failing.includes(what)) throw new Error('away');
    if (record !== undefined) records.push(record);
  };
  const head = givenHead(0);
  const journal = journalOn(
    {
      commit: (record) => call('commit', record),
      append: (record) => call('append', record),
      close: () => call('close'),
      problemOf: (error) => problem('journal', (error as Error).message),
    },
    head,
    { now: () => Date.parse(at), sleep: async () => {} },
  );
  return { journal, calls, records, head };
}

const endOf = (records: readonly JournalRecord[]) => {
  const last = records.at(-1);
  if (last?.type !== 'end') throw new Error('no end');
  return last;
};

describe('the head of a run', () => {
  const run = {
    clock: createVirtualClock(Date.parse(timeAt(0))),
    account: { companyId: '42', service: 's' },
    planChecksum: 'c',
    steps: 1,
    fleetSize: 2,
  };
  it('has its origin if that is known', () => {
    expect(headRecord(run, 3, 'aaaaaa')).toEqual({
      type: 'run',
      format_version: '1.2',
      run_id: '20261121T090000000Z-aaaaaa',
      at: timeAt(0),
      account: { company_id: '42', service: 's' },
      plan_checksum: 'c',
      steps: 1,
      fleet_size: 2,
      epoch: 3,
    });
    const origin = { actor: 'ada', host: 'vm' };
    expect(headRecord({ ...run, origin }, 3).origin).toEqual(origin);
  });
  it('has an id that sorts by its time', () => {
    const time = Date.parse(timeAt(0));
    const own = runIdOf(timeAt(0), 'ffffff');
    expect(own).toBe('20261121T090000000Z-ffffff');
    expect(runIdAfter(time) > own).toBe(true);
    expect(runIdAfter(time) <= runIdOf(new Date(time + 1).toISOString(), '000000')).toBe(true);
    expect(runIdAfter(time - 1) <= own).toBe(true);
  });
});

describe('the record of a run', () => {
  it('waits until a step is durable, and until its outcome is handed over', async () => {
    const { journal, calls } = given();
    expect((await journal.begin(rename)).ok).toBe(true);
    expect(calls).toEqual(['commit begin']);
    await journal.outcome(rename.id, 'done');
    expect(calls).toEqual(['commit begin', 'append outcome']);
    await journal.end(0);
    expect(calls).toEqual(['commit begin', 'append outcome', 'commit end', 'close']);
  });

  it("gives the reason why a step can't begin, and does not count the step", async () => {
    const { journal, records } = given(['commit']);
    expect((await journal.begin(install)).problems).toMatchObject([{ message: 'away' }]);
    await journal.outcome(install.id, 'not-started');
    expect(records.map(({ type }) => type)).toEqual(['outcome']);
  });

  it("continues if an outcome can't be written, and closes if the end can't be written", async () => {
    const { journal, calls } = given(['append', 'commit', 'close']);
    await journal.outcome(rename.id, 'done');
    await journal.end(0);
    expect(calls).toEqual(['append outcome', 'commit end', 'close']);
  });

  it('has the known parts of an outcome, and no others', async () => {
    const { journal, records } = given();
    await journal.outcome(rename.id, 'failed', {
      problem: problem('conflict', 'taken'),
      failedHostIds: ['1'],
      inDoubtHostIds: ['2'],
    });
    await journal.outcome(rename.id, 'done');
    expect(records[0]).toMatchObject({
      problem: { code: 'conflict', message: 'taken' },
      failed_host_ids: ['1'],
      in_doubt_host_ids: ['2'],
    });
    expect(Object.keys(records[1] ?? {}).toSorted()).toEqual(['at', 'outcome', 'step', 'type']);
  });

  it('ends with the pace if one was learned', async () => {
    const learned = given();
    await learned.journal.end(5, { rate: 3, latency: 1 });
    expect(endOf(learned.records)).toMatchObject({ exit_code: 5, pace: { rate: 3, latency: 1 } });
    const none = given();
    await none.journal.end(0);
    expect(endOf(none.records)).not.toHaveProperty('pace');
  });
});

it('the seal of a run covers its head, each step, each outcome and its end', async () => {
  const { journal, records, head } = given();
  await journal.begin(rename);
  await journal.outcome(rename.id, 'done');
  await journal.begin(remove);
  const ended = await journal.end(0);
  const { start, whole } = sealRun([head, ...records]);
  expect(journal.seal).toBe(start);
  expect(ended).toEqual(ok(whole));
});

describe('the digest in the end of a run', () => {
  it('agrees with all of its records', async () => {
    const { journal, records, head } = given();
    for (const [step, outcome] of [
      [rename, 'done'],
      [{ ...rename, id: id('a') }, 'already'],
      [{ ...rename, id: id('f') }, 'failed'],
      [install, 'unknown'],
      [{ ...install, id: id('i2') }, 'done'],
      [refresh, 'done'],
      [remove, 'done'],
      [{ ...remove, id: id('d2') }, 'skipped'],
    ] as const) {
      await journal.begin(step);
      await journal.outcome(step.id, outcome);
    }
    await journal.begin({ ...install, id: id('i3') });
    await journal.end(0);
    const end = endOf(records);
    const whole = { head, records: [head, ...records.slice(0, -1)], torn: false };
    expect(end.digest).toEqual(sumUp(whole));
    expect(end.digest).toMatchObject({ done: 5, deleted: 1 });
    expect(end.digest?.requests.map(({ kind, in_doubt }) => [kind, in_doubt])).toEqual([
      ['antivirus', true],
      ['antivirus', false],
      ['refresh', false],
      ['antivirus', true],
    ]);
    expect(digestOf({ head, records: [head, ...records], torn: false })).toMatchObject({ done: 5 });
  });
});
