import { describe, expect, it } from 'vitest';
import type { RunEnd } from '../../../../src/accounts/engine/apply-account.ts';
import { createRedaction } from '../../../../src/core/lib/redaction.ts';
import { hostIdsOf } from '../../../../src/core/plan/types/step.ts';
import { ok, problem, warning } from '../../../../src/core/problem/problem.ts';
import type { PlanRecord } from '../../../../src/server/plans/records/plans.ts';
import type { JobParts } from '../../../../src/server/queue/rules/job-parts.ts';
import type { RunChange } from '../../../../src/server/runs/records/runs.ts';
import {
  postponeRun,
  recordEnd,
  refuseRun,
  stopUnstarted,
} from '../../../../src/server/runs/rules/end-run.ts';
import type { RunRecorder } from '../../../../src/server/runs/rules/run-record.ts';
import type { StopCause } from '../../../../src/server/runs/rules/watch-run.ts';
import { givenPlan } from '../../../given/plan.ts';
import { accountOf, inAWhile, planOf, runOf } from '../../jobs/given.ts';
import { givenBerlin } from '../../jobs/given-store.ts';

const plan = givenPlan({ entries: [{ id: 1, name: 'NEW' }], hosts: [{ id: 1, name: 'OLD' }] });
const tenant = { companyId: '42', service: 'https://service.example' };
const at = '2026-11-23T08:00:00.000Z';

/** A store that records the writes at the end of a run. */
function givenEnd({
  source = 'files',
  run: current = runOf('berlin'),
  overrun = 'pause',
  hold = null as object | null,
  isGone = false,
} = {}) {
  const written: unknown[] = [];
  const holds: unknown[] = [];
  const changes: RunChange[] = [];
  /** The calls, in order. Each call takes a while, and a later one less. */
  const order: string[] = [];
  const after = async (turns: number, what: string) => {
    await inAWhile(turns);
    order.push(what);
  };
  const own = {
    runs: {
      find: async () => current,
      log: async (_: string, lines: readonly { type: string; text: string }[]) => {
        await after(6, 'log');
        written.push(...lines.map(({ type, text }) => `${type}: ${text}`));
      },
      change: async (_: string, change: RunChange) => {
        await after(5, 'change');
        changes.push(change);
      },
    },
    plans: {
      find: async () => planOf('berlin', plan, { source, state: 'running' }),
      move: async (
        id: string,
        _: readonly string[],
        to: string,
        reason?: string | null,
      ): Promise<PlanRecord> => {
        await after(4, 'move');
        written.push([id, to, ...(reason ? [reason] : [])]);
        return planOf('berlin', plan, { source });
      },
    },
    accounts: {
      find: async (_: string, visible: string) =>
        isGone || visible !== 'all'
          ? undefined
          : {
              ...tenant,
              name: 'berlin',
              version: 1,
              hold,
              commit: 'c1',
              plan: { id: 'plan-berlin' },
              run: 'run-berlin',
            },
      claim: async () => true,
      setHold: async (names: readonly string[], given: unknown) => {
        await after(2, 'hold');
        holds.push(...names.map((name) => [name, given]));
      },
      setHealth: async (name: string, health: string) => {
        await after(3, 'health');
        written.push(`${name} is ${health}`);
      },
    },
  };
  const parts = {
    settings: { overrun, accounts: [accountOf('berlin', { companyId: '42' })], notifications: [] },
    env: { RAMPART_BASE_URL: tenant.service },
    clock: { now: () => Date.parse(at), sleep: async () => {} },
    store: { ...own, transaction: async <T>(work: (store: typeof own) => Promise<T>) => work(own) },
    queue: {
      send: async (name: string, [key]: readonly string[]) => {
        await after(1, 'send');
        written.push(`${name} ${key}`);
        return 1;
      },
    },
  } as unknown as JobParts;
  return { parts, written, holds, changes, order, after };
}

const stoppedByPerson = {
  run: 'run-berlin',
  at,
  commit: 'c1',
  runs: 0,
  isInDoubt: false,
  reason: '',
  kind: 'stopped',
};

describe('the end of a run that has not begun', () => {
  it.each([
    ['no failure if others made its plan stale', 'stale-plan', 'stopped', 7],
    ['a failure for any other reason', 'read-only', 'failed', 6],
  ] as const)(
    'is a refusal with its exit code, a stale plan, and a check: %s',
    async (_, code, state, exitCode) => {
      const { parts, written, holds, changes, order } = givenEnd();
      const refused = problem(code, 'the plan expired', { hint: 'plan again' });
      expect(await refuseRun(runOf('berlin'), parts, refused)).toBe('ended');
      expect(order).toEqual(['change', 'move', 'log', 'send']);
      expect(changes).toEqual([
        {
          state,
          exitCode,
          progress: { problems: [{ code, message: 'the plan expired', hint: 'plan again' }] },
        },
      ]);
      expect(written).toEqual([
        ['plan-berlin', 'stale', 'its run was refused: the plan expired'],
        'error: the plan expired',
        'check berlin',
      ]);
      expect(holds).toEqual([]);
    },
  );

  it.each([
    ['its worker failed in an unforeseen way', { run: runOf('berlin'), code: 'unforeseen' as const }],
    [
      'a worker before may have changed something',
      { run: runOf('berlin', { journal: 'j1' }), code: 'stale-plan' as const },
    ],
  ])('counts as a failed run if %s', async (_, { run, code }) => {
    const { parts, holds } = givenEnd({ run });
    await refuseRun(run, parts, problem(code, 'x'));
    expect(holds).toMatchObject([['berlin', { kind: 'failed-runs', runs: 1, reason: 'x' }]]);
  });

  it('is a stop, after which mode correct does not start it again', async () => {
    const { parts, written, holds, changes } = givenEnd();
    expect(await stopUnstarted(runOf('berlin'), parts)).toBe('ended');
    expect(changes).toEqual([{ state: 'stopped' }]);
    expect(written).toEqual([
      ['plan-berlin', 'stale', 'its run was stopped before it began'],
      'check berlin',
    ]);
    expect(holds).toEqual([['berlin', stoppedByPerson]]);
  });

  it('does not hold anything after an undo that changed nothing', async () => {
    const { parts, holds } = givenEnd({ source: 'undo of run r1' });
    await stopUnstarted(runOf('berlin'), parts);
    expect(holds).toEqual([]);
  });

  it('keeps mode correct from repeating what an undo reversed before its worker died', async () => {
    const { parts, holds } = givenEnd({ source: 'undo of run r1' });
    const { steps } = runOf('berlin');
    await stopUnstarted(runOf('berlin', { steps: { ...steps, done: 1 } }), parts);
    expect(holds).toEqual([['berlin', { ...stoppedByPerson, kind: 'undo' }]]);
  });

  it('is recorded without a plan, and for an account that was removed', async () => {
    const { parts, written, holds, changes, order } = givenEnd({ isGone: true });
    await stopUnstarted(runOf('berlin', { plan: null }), parts);
    expect(written).toEqual(['check berlin']);
    expect(holds).toEqual([]);
    await refuseRun(runOf('berlin'), parts, problem('configuration', 'no such account'));
    expect(changes).toMatchObject([{ state: 'stopped' }, { state: 'failed', exitCode: 3 }]);
    expect(order).toEqual(['change', 'send', 'change', 'move', 'log', 'send']);
  });
});

describe('the end of a run that has begun', () => {
  const done = { outcome: 'done' };
  const ended = async (
    {
      exitCode = 0,
      steps = [done] as readonly object[],
      pendingInstalls = [] as readonly object[],
      interrupted = false,
      problems = [] as readonly object[],
      verified = null as boolean | null,
    } = {},
    {
      why,
      run = runOf('berlin'),
      doneSteps = 1,
      ...given
    }: { why?: StopCause; run?: ReturnType<typeof runOf>; doneSteps?: number } & Parameters<
      typeof givenEnd
    >[0] = {},
  ) => {
    const end = givenEnd({ ...given, run });
    const recorder = {
      flush: async () => {
        await end.after(8, 'flush');
        end.written.push('flushed');
      },
      steps: () => ({ total: 1, done: doneSteps, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 }),
      progress: () => ({ journals: ['j1'], waiting: ['x'], seconds_left: 4 }),
    } as unknown as RunRecorder;
    const redaction = createRedaction();
    redaction.hide(['top-secret-key-of-the-account']);
    const summary = {
      exitCode,
      steps: steps.map((each) => ({ step: plan.steps[0], ...each })),
      pendingInstalls,
      interrupted,
      problems,
      verified,
      unrecorded: [],
    };
    const how = await recordEnd({ run, parts: end.parts, recorder, redaction, why }, {
      exitCode,
      summary,
    } as unknown as RunEnd);
    return { ...end, how };
  };

  it('writes the rest of the log and of the history first', async () => {
    const { written, changes, holds, how, order } = await ended();
    expect(how).toBe('ended');
    expect(order).toEqual(['flush', 'change', 'move']);
    expect(written).toEqual(['flushed', ['plan-berlin', 'done']]);
    expect(changes).toEqual([
      {
        state: 'done',
        exitCode: 0,
        steps: { total: 1, done: 1, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 },
        progress: { journals: ['j1'], waiting: [], seconds_left: null, problems: [] },
      },
    ]);
    expect(holds).toEqual([]);
  });

  it.each([
    ['failed', { exitCode: 5 }, 'its run ended with failures; the next check plans what is left'],
    [
      'in_doubt',
      { exitCode: 5, steps: [done, { outcome: 'unknown' }] },
      'its run ended in doubt; the next check plans what is left',
    ],
    [
      'in_doubt',
      { pendingInstalls: [{ state: 'requested' }, { state: 'in-doubt' }] },
      'its run ended in doubt; the next check plans what is left',
    ],
    ['done', { pendingInstalls: [{ state: 'requested' }] }, undefined],
  ] as const)('is "%s" after %j', async (state, summary, reason) => {
    const { written, changes, holds, order } = await ended(summary);
    const health = state === 'in_doubt' ? ['health'] : [];
    const held = state === 'done' ? [] : ['hold'];
    expect(order).toEqual(['flush', 'change', 'move', ...health, ...held]);
    expect(changes[0]).toMatchObject({ state });
    const moved = ['plan-berlin', state === 'done' ? 'done' : 'stale'];
    expect(written).toContainEqual(reason === undefined ? moved : [...moved, reason]);
    expect(written.includes('berlin is in_doubt')).toBe(state === 'in_doubt');
    if (state === 'done') expect(holds).toEqual([]);
    else expect(holds).toMatchObject([['berlin', { kind: 'failed-runs', isInDoubt: state === 'in_doubt' }]]);
  });

  it('is no failure if no step began, whatever held the account before', async () => {
    const hold = { ...stoppedByPerson, kind: 'failed-runs', runs: 2 };
    for (const outcome of ['not-started', 'skipped']) {
      const { holds } = await ended({ exitCode: 7, steps: [{ outcome }] }, { hold });
      expect(holds).toEqual([]);
    }
  });

  it('is no failure if others had already changed all its hosts, and does not hold anything', async () => {
    const left = { outcome: 'skipped', problem: problem('stale-plan', '"PC-1" has changed') };
    const { changes, written, holds } = await ended({ exitCode: 5, steps: [left] }, { doneSteps: 0 });
    expect(changes[0]).toMatchObject({ state: 'stopped', exitCode: 7, steps: { skipped: 1 } });
    expect(written).toContainEqual([
      'plan-berlin',
      'stale',
      'its run left out 1 host that had changed; the next check plans for them again',
    ]);
    expect(holds).toEqual([]);
    const stopped = await ended({ exitCode: 130, interrupted: true, steps: [left] }, { why: 'person' });
    expect(stopped.changes[0]).toMatchObject({ state: 'stopped', exitCode: 130 });
    expect(stopped.holds).toEqual([['berlin', stoppedByPerson]]);
  });

  it.each([
    ['nothing says why', [{ outcome: 'skipped' }], []],
    [
      'something else failed, too',
      [{ outcome: 'skipped', problem: problem('stale-plan', '"PC-1" has changed') }],
      [problem('network', 'the service is away')],
    ],
  ])('is a failure if all its hosts were left out, and %s', async (_, steps, problems) => {
    const { changes, written } = await ended({ exitCode: 5, steps, problems }, { doneSteps: 0 });
    expect(changes[0]).toMatchObject({ state: 'failed', exitCode: 5, steps: { skipped: 0 } });
    expect(written).toContainEqual([
      'plan-berlin',
      'stale',
      'its run ended with failures; the next check plans what is left',
    ]);
  });

  it('is done if a read verified everything that it did not leave out, and reports the rest', async () => {
    const step = { kind: 'delete', hosts: [{ hostId: '7' }, { hostId: '8' }] };
    const left = { outcome: 'skipped', step, problem: problem('stale-plan', '"PC-7" has changed') };
    const { changes, written } = await ended({ steps: [done, left], verified: true });
    expect(changes[0]).toMatchObject({
      state: 'done',
      steps: { total: 2, done: 1, skipped: 1 },
      progress: { problems: [{ message: '"PC-7" has changed' }] },
    });
    expect(written).toContainEqual([
      'plan-berlin',
      'done',
      'its run left out 2 hosts that had changed; the next check plans for them again',
    ]);
  });

  it('counts its steps as they ended if a read verified them, and as the worker saw them otherwise', async () => {
    const steps = ['done', 'already', 'failed', 'skipped'].map((outcome) => ({ outcome }));
    const verified = await ended({ exitCode: 5, steps, verified: true });
    expect(verified.changes[0]?.steps).toMatchObject({ total: 4, done: 2, failed: 1, skipped: 1 });
    for (const unread of [false, null]) {
      const { changes } = await ended({ exitCode: 5, steps, verified: unread });
      expect(changes[0]?.steps).toMatchObject({ total: 1, done: 1, failed: 0, skipped: 0 });
    }
  });

  it('counts the hosts that a read shows otherwise than it left them', async () => {
    const others = problem('not-converged', 'it has another name', {
      hostIds: plan.steps.flatMap(hostIdsOf),
    });
    const { changes, written } = await ended({ exitCode: 5, problems: [others] });
    expect(changes[0]?.progress).toMatchObject({ unverified: 1 });
    expect(written).toContainEqual([
      'plan-berlin',
      'stale',
      'its run changed 1 host that a read shows otherwise; the next check plans for them again',
    ]);
    expect((await ended()).changes[0]?.progress).not.toHaveProperty('unverified');
  });

  it.each([
    ['a step had begun', { steps: [done, { outcome: 'skipped' }] }, runOf('berlin')],
    ['an earlier worker had begun', { steps: [{ outcome: 'skipped' }] }, runOf('berlin', { journal: 'j1' })],
  ])('holds mode correct after a failure if %s', async (_, summary, run) => {
    const { holds } = await ended({ exitCode: 5, ...summary }, { run });
    expect(holds).toMatchObject([['berlin', { kind: 'failed-runs' }]]);
  });

  it('counts the hosts with an install in doubt, because their steps may all be done', async () => {
    const installs = [{ state: 'in-doubt' }, { state: 'requested' }, { state: 'in-doubt' }] as const;
    const { changes } = await ended({ pendingInstalls: [...installs] });
    expect(changes[0]).toMatchObject({ state: 'in_doubt', progress: { installs_in_doubt: 2 } });
    expect((await ended()).changes[0]?.progress).not.toHaveProperty('installs_in_doubt');
  });

  it('names the first failure as the reason, without secrets', async () => {
    const { changes, holds } = await ended({
      exitCode: 5,
      problems: [warning('policy-warning', 'top-secret-key-of-the-account is not for logs')],
      steps: [{ outcome: 'failed', problem: problem('network', 'the service is away') }, done],
    });
    const shown = JSON.stringify([changes, holds]);
    expect(shown).not.toContain('top-secret-key');
    expect(holds).toMatchObject([['berlin', { reason: expect.stringContaining('is not for logs') }]]);
    expect(changes[0]?.progress?.['problems']).toMatchObject([
      { code: 'policy-warning' },
      { code: 'network' },
    ]);
    expect((await ended({ exitCode: 5 })).holds).toMatchObject([
      ['berlin', { reason: 'the last run ended with failures' }],
    ]);
  });

  it('shows at most fifty problems', async () => {
    const { changes } = await ended({
      exitCode: 5,
      problems: Array.from({ length: 60 }, () => problem('network', 'x')),
    });
    expect(changes[0]?.progress?.['problems']).toHaveLength(50);
  });

  it('is not recorded if the worker stops: another one continues', async () => {
    const { how, changes, holds } = await ended({ interrupted: true }, { why: 'worker' });
    expect([how, changes, holds]).toEqual(['continue', [], []]);
  });

  it('ignores a stop that came after the last step', async () => {
    const { changes } = await ended({ interrupted: false }, { why: 'person' });
    expect(changes).toMatchObject([{ state: 'done' }]);
  });

  it('is a stop if a person requested it', async () => {
    const { written, changes, holds } = await ended({ interrupted: true, exitCode: 130 }, { why: 'person' });
    expect(changes).toMatchObject([{ state: 'stopped', exitCode: 130 }]);
    expect(written).toContainEqual([
      'plan-berlin',
      'stale',
      'its run ended before its last step; the next check plans what is left',
    ]);
    expect(holds).toEqual([['berlin', stoppedByPerson]]);
  });

  it('waits for the next window if its window closed', async () => {
    const run = runOf('berlin', { state: 'running' });
    const { how, changes, written, holds, order } = await ended(
      { interrupted: true },
      { why: 'window', run },
    );
    expect(order).toEqual(['flush', 'change', 'send']);
    expect([how, changes, holds]).toEqual(['waiting', [{ state: 'queued' }], []]);
    expect(written).toContain('run berlin');
    const removed = await ended({ interrupted: true }, { why: 'window', run, isGone: true });
    expect([removed.how, removed.written]).toEqual(['waiting', ['flushed']]);
  });

  it('is announced with the last signed head of the audit log, where the operator keeps that', async () => {
    const { parts, run: id, notifications, store } = await givenBerlin('running', 'running');
    notifications.push({ name: 'ops', kinds: ['applied'], digestMs: null });
    const digits = '0'.repeat(64);
    const head = {
      format_version: '1.0',
      seq: 4711,
      hash: digits,
      at,
      first_seq: 1,
      key: digits,
      signature: '',
    };
    const audit = { readHead: async () => ok(JSON.stringify(head)) };
    const run = await store.runs.find(id, 'all');
    if (run === undefined) throw new Error('no run');
    await recordEnd(
      {
        run,
        parts: {
          ...parts,
          state: { audit },
        } as unknown as JobParts,
        recorder: {
          flush: async () => {},
          steps: () => run.steps,
          progress: () => ({}),
        } as unknown as RunRecorder,
        redaction: createRedaction(),
        why: undefined,
      },
      {
        exitCode: 0,
        summary: { steps: [], pendingInstalls: [], problems: [], unrecorded: [] },
      } as unknown as RunEnd,
    );
    const [message] = await store.notifications.claim('ops', 9);
    expect(JSON.stringify(message?.facts)).toContain('Audit head: record 4711');
  });

  it('ends with its window if the operator configured that, and does not hold anything', async () => {
    const { how, changes, written, holds } = await ended(
      { interrupted: true },
      { why: 'window', overrun: 'end' },
    );
    expect([how, holds]).toEqual(['ended', []]);
    expect(changes).toMatchObject([{ state: 'stopped' }]);
    expect(written).not.toContain('run berlin');
  });

  it('holds mode correct after an undo that changed something, and only then', async () => {
    const source = 'undo of run r1';
    expect((await ended({}, { source })).holds).toMatchObject([['berlin', { kind: 'undo' }]]);
    expect((await ended({}, { source, doneSteps: 0 })).holds).toEqual([]);
    expect((await ended({}, { source, run: runOf('berlin', { plan: null }) })).holds).toEqual([]);
  });
});

describe('a run that may not begin yet', () => {
  const closed = problem('outside-window', 'renames must wait', { hint: 'opens Mon 20:00' });
  const known = {
    waiting: [{ step: '', title: 'renames must wait', why: 'window', for: 'opens Mon 20:00' }],
  };
  const waits = { kind: 'window', message: 'renames must wait', until: 'opens Mon 20:00' };

  it('stays queued, and shows what it waits for', async () => {
    const { parts, changes } = givenEnd();
    expect(await postponeRun(runOf('berlin', { progress: { journals: ['j'] } }), parts, closed)).toBe(
      'waiting',
    );
    expect(changes).toEqual([{ state: 'queued', progress: { journals: ['j'], ...known, waits_for: waits } }]);
  });

  it('is queued again if it was in progress', async () => {
    const { parts, changes } = givenEnd();
    await postponeRun(runOf('berlin', { state: 'running', progress: { waits_for: waits } }), parts, closed);
    expect(changes).toMatchObject([{ state: 'queued' }]);
  });

  it('is written once while the reason for waiting is unchanged', async () => {
    const { parts, changes } = givenEnd();
    await postponeRun(runOf('berlin', { progress: { waits_for: waits } }), parts, closed);
    expect(changes).toEqual([]);
    await postponeRun(
      runOf('berlin', { progress: { waits_for: waits } }),
      parts,
      problem('frozen', 'x'),
      'pause',
    );
    expect(changes).toEqual([
      {
        state: 'queued',
        progress: {
          waiting: [{ step: '', title: 'x', why: 'pause', for: '' }],
          waits_for: { kind: 'pause', message: 'x' },
        },
      },
    ]);
  });
});
