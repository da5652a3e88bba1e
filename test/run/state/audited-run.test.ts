import { describe, expect, it } from 'vitest';
import type { NumberRange } from '../../../src/core/model/numbered-name.ts';
import type { StepId } from '../../../src/core/plan/types/step.ts';
import {
  failed,
  ok,
  type Problem,
  problem,
  type Result,
  warning,
} from '../../../src/core/problem/problem.ts';
import type { AuditEntry } from '../../../src/run/state/audit/audit-record.ts';
import type { ChainHead } from '../../../src/run/state/audit/chain.ts';
import { startAuditedRun } from '../../../src/run/state/audited-run.ts';
import type { State } from '../../../src/run/state/interface/state.ts';
import type { SealedJournal } from '../../../src/run/state/journal/journal.ts';
import type { RunHead } from '../../../src/run/state/journal/journal-on.ts';
import type { Origin, RunRecord } from '../../../src/run/state/journal/record.ts';
import { givenLease } from '../../given/lease.ts';
import { renameStep } from '../../given/steps.ts';

const account = { companyId: '42', service: 'https://service.example' };
const clock = { now: () => 0, sleep: async () => {} };
const alice: Origin = { actor: 'alice', host: 'workstation' };
const step = renameStep('s1', { id: 1 }, 'B');
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

interface Given {
  readonly origin?: Origin;
  /** The state's failure at the start of the run, if any. */
  readonly startFails?: Problem;
  /** The journal's failure at the begin of a step, if any. */
  readonly beginFails?: Problem;
  /** The journal's failure at the end of the run, if any. */
  readonly endFails?: Problem;
  /** The numbers in the record of the latest run, and those that the plan gives. */
  readonly earlier?: Partial<RunRecord>;
  readonly numbers?: readonly NumberRange[];
  readonly unreadable?: Problem;
  /** The audit log's result for an append with an entry of this kind. */
  readonly failsAt?: AuditEntry['kind'];
}

/** A state that remembers, in order, what was written to the journal and to the audit log. */
async function given({
  origin = alice,
  startFails,
  beginFails,
  endFails,
  failsAt,
  earlier,
  numbers,
  unreadable,
}: Given = {}) {
  const written: unknown[] = [];
  const journal: SealedJournal = {
    runId: 'run-1',
    seal: 'the head',
    async begin({ id }) {
      written.push(`begin ${id}`);
      return beginFails === undefined ? ok(null) : failed(beginFails);
    },
    async outcome(id, outcome, details) {
      written.push(['outcome', id, outcome, details]);
    },
    async end(exitCode, pace) {
      await nextTurn();
      await nextTurn();
      written.push(['end', exitCode, pace]);
      return endFails === undefined ? ok('all records') : failed(endFails);
    },
  };
  let recorded: RunHead['numbers'];
  const state = {
    listRuns: async () =>
      ok(earlier === undefined ? [] : [{ head: earlier }], unreadable === undefined ? [] : [unreadable]),
    startRun: async (_: unknown, head: RunHead) => {
      recorded = head.numbers;
      return started();
    },
    audit: {
      async append(_: unknown, entries: readonly AuditEntry[]): Promise<Result<ChainHead>> {
        await nextTurn();
        written.push(...entries);
        return entries.some(({ kind }) => kind === failsAt)
          ? failed(problem('state', 'the disk is full'))
          : ok({ seq: 1, hash: '' });
      },
    },
  } as unknown as State;
  const begun = await startAuditedRun(state, givenLease(), {
    account,
    clock,
    planChecksum: 'c',
    steps: 3,
    fleetSize: 5,
    origin,
    numbers,
  });
  return { written, started: begun, recorded };

  function started(): Result<SealedJournal> {
    return startFails === undefined ? ok(journal, [warning('state', 'a warning')]) : failed(startFails);
  }
}

const ids = { run_id: 'run-1', account: { company_id: '42', service: 'https://service.example' } };
const start = {
  kind: 'run-started',
  origin: alice,
  what: { ...ids, plan_checksum: 'c', steps: 3, covers: { 'run-start:run-1': 'the head' } },
};

describe('an audited run', () => {
  it('records its start before it can begin a step, and passes on the warnings', async () => {
    const { written, started } = await given();
    expect(written).toEqual([start]);
    expect(started).toMatchObject({ ok: true, problems: [{ message: 'a warning' }] });
  });

  it('records its approvals with its start', async () => {
    const origin = { ...alice, approvals: { delete: 28 } };
    const { written } = await given({ origin });
    expect(written).toEqual([
      { ...start, origin },
      { kind: 'approval', origin, what: { ...ids, approvals: { delete: 28 } } },
    ]);
  });

  it("begins no step that the journal can't record", async () => {
    const full = problem('state', 'the disk is full');
    const { started } = await given({ beginFails: full });
    if (!started.ok) throw new Error('it did not start');
    expect(await started.value.begin(step)).toEqual(failed(full));
  });

  it('passes steps and outcomes on to the journal', async () => {
    const { written, started } = await given();
    if (!started.ok) throw new Error('it did not start');
    expect(started.value.runId).toBe('run-1');
    expect(await started.value.begin(step)).toEqual(ok(null));
    const details = { failedHostIds: ['1'] };
    await started.value.outcome(step.id, 'failed', details);
    expect(written.slice(1)).toEqual(['begin s1', ['outcome', 's1', 'failed', details]]);
  });

  it('records its end after the end of the journal, and counts the last outcome of each step', async () => {
    const { written, started } = await given();
    if (!started.ok) throw new Error('it did not start');
    await started.value.outcome(step.id, 'unknown');
    await started.value.outcome(step.id, 'done');
    await started.value.outcome('s2' as StepId, 'done');
    await started.value.outcome('s3' as StepId, 'failed');
    const pace = { rate: 2, latency: 1 };
    expect(await started.value.end(5, pace)).toEqual(ok(null));
    const outcomes = { done: 2, failed: 1 };
    expect(written.slice(-2)).toEqual([
      ['end', 5, pace],
      {
        kind: 'run-ended',
        origin: alice,
        what: { ...ids, exit_code: 5, steps: 3, outcomes, covers: { 'run:run-1': 'all records' } },
      },
    ]);
  });

  it('covers no journal whose end could not be written', async () => {
    const { written, started } = await given({ endFails: problem('journal', 'the disk is full') });
    if (!started.ok) throw new Error('it did not start');
    await started.value.end(1);
    expect(written.at(-1)).toMatchObject({ kind: 'run-ended' });
    expect(written.at(-1)).not.toHaveProperty('what.covers');
  });

  it("does not start if the state can't open its record", async () => {
    const { written, started } = await given({ startFails: problem('lock-held', 'the lock is held') });
    expect(started).toMatchObject({ ok: false, problems: [{ message: 'the lock is held' }] });
    expect(written).toEqual([]);
  });

  it("does not start if the audit log can't be written, and ends its journal with 1", async () => {
    const { written, started } = await given({ failsAt: 'run-started' });
    expect(started).toMatchObject({ ok: false, problems: [{ message: 'the disk is full' }] });
    expect(written).toEqual([start, ['end', 1, undefined]]);
  });

  it('fails at its end if the audit log could not record it', async () => {
    const { started } = await given({ failsAt: 'run-ended' });
    if (!started.ok) throw new Error('it did not start');
    expect(await started.value.end(0)).toMatchObject({
      ok: false,
      problems: [{ message: 'the disk is full' }],
    });
  });

  it('fails at its end if the journal could not record it, although the audit log does', async () => {
    const { written, started } = await given({ endFails: problem('journal', 'the disk is broken') });
    if (!started.ok) throw new Error('it did not start');
    expect(await started.value.end(0)).toMatchObject({
      ok: false,
      problems: [{ message: 'the disk is broken' }],
    });
    expect(written.at(-1)).toMatchObject({ kind: 'run-ended' });
  });
});

describe('the numbers that a plan gives', () => {
  const range = { prefix: 'BER-LT-', digits: 3, first: 4, last: 6 };
  const record = (last: number, prefix = 'BER-LT-') => [{ prefix, digits: 3, last }];

  it.each<[string, Given, RunHead['numbers']]>([
    ['are recorded', { numbers: [range] }, record(6)],
    ['replace the record of lower ones', { numbers: [range], earlier: { numbers: record(3) } }, record(6)],
    [
      'are recorded beside those of other names',
      { numbers: [range], earlier: { numbers: record(9, 'X-') } },
      [...record(9, 'X-'), ...record(6)],
    ],
    [
      'are given again if the same plan is applied again',
      { numbers: [range], earlier: { plan_checksum: 'c', numbers: record(6) } },
      record(6),
    ],
    ['are repeated by a plan that gives none', { earlier: { numbers: record(6) } }, record(6)],
    [
      'are repeated although another run can not be read',
      { earlier: { numbers: record(6) }, unreadable: warning('state', 'cut off') },
      record(6),
    ],
  ])('%s', async (_, what, expected) => {
    const { started, recorded } = await given(what);
    expect(started.ok).toBe(true);
    expect(recorded).toEqual(expected);
  });

  it.each<[string, Given, string]>([
    [
      'another run gave one of them',
      { earlier: { plan_checksum: 'other', numbers: record(4) } },
      'the number of "BER-LT-004" was assigned by another run after this plan was made',
    ],
    [
      'another run gave one of them in another letter case',
      { earlier: { numbers: record(9, 'ber-lt-') } },
      'the number of "BER-LT-004" was assigned by another run after this plan was made',
    ],
    ['the record of a run can not be read', { unreadable: warning('state', 'cut off') }, 'cut off'],
  ])('are refused if %s', async (_, what, message) => {
    const { started, written } = await given({ numbers: [range], ...what });
    expect(started).toMatchObject({ ok: false, problems: [{ message }] });
    expect(written).toEqual([]);
  });
});
