import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { type ApplyOptions, applyAccount } from '../../../src/accounts/engine/apply-account.ts';
import { planUndoOfRun } from '../../../src/accounts/engine/plan-undo.ts';
import { planChecksum } from '../../../src/core/plan/document/plan-document.ts';
import { failed, ok, type Problem, problem, warning } from '../../../src/core/problem/problem.ts';
import { parseRecord } from '../../../src/run/state/audit/chain.ts';
import type { State } from '../../../src/run/state/interface/state.ts';
import type { Lease } from '../../../src/run/state/lease/lease.ts';
import { hostId } from '../../given/fleet.ts';
import { inAWhile } from '../../server/jobs/given.ts';
import { account, origin, planned } from './given-engine.ts';

/** A lease with methods that can be replaced. */
const leaseOf = (lease: Lease): Lease => ({
  epoch: lease.epoch,
  lost: lease.lost,
  refusal: () => lease.refusal(),
  confirm: () => lease.confirm(),
  release: () => lease.release(),
});

describe('applying a plan', () => {
  it('refuses any plan but the approved one, before it takes the lock', async () => {
    const acquired: unknown[] = [];
    const { apply, writes, events, state } = await planned();
    const watched: State = {
      ...state,
      acquire: async (...given) => (acquired.push(1), state.acquire(...given)),
    };
    const refused = await apply({ approvedChecksum: '0'.repeat(64) }, { state: watched });
    expect(refused).toMatchObject({ ok: false, problems: [{ code: 'stale-plan' }] });
    expect([acquired, writes(), events]).toEqual([[], 0, []]);
  });

  it('records the run, reports its beginning and its end, and saves the fleet that it left', async () => {
    const { apply, writes, events, state, service, plan, left } = await planned();
    const ends: unknown[] = [];
    const done = await apply({ onEnd: async (end) => void ends.push(end) });
    expect(done).toMatchObject({ ok: true, value: { exitCode: 0, isLost: false } });
    if (!done.ok) return;
    const { runId } = done.value;
    expect([writes(), ends, await left()]).toEqual([1, [done.value], 'B']);
    expect(events[0]).toEqual({ type: 'run_start', runId, steps: 1, calls: plan.calls.planned });
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'run_end', runId, exitCode: 0 });
    if (last?.type === 'run_end') expect(last.ms).toBeLessThan(60_000);
    const runs = await state.listRuns({ account: service });
    expect(runs).toMatchObject({ ok: true, value: [{ exitCode: 0, head: { run_id: runId } }] });
    expect(await state.holder(service)).toEqual({ ok: true, value: null, problems: [] });
  });

  it('begins no run if its caller refuses once the lock is held, and releases the lock', async () => {
    const { apply, writes, events, state, service } = await planned();
    const refused = await apply({ onLock: async () => failed(problem('cancelled', 'the window closed')) });
    expect(refused).toMatchObject({ ok: false, problems: [{ message: 'the window closed' }] });
    expect([writes(), events]).toEqual([0, []]);
    expect(await state.holder(service)).toMatchObject({ value: null });
  });

  it('begins no run that its state does not record', async () => {
    const away = async () => failed(problem('journal', 'the disk is full'));
    const { apply, writes, state, service } = await planned({ of: (each) => ({ ...each, startRun: away }) });
    expect(await apply()).toMatchObject({ ok: false, problems: [{ code: 'journal' }] });
    expect(writes()).toBe(0);
    expect(await state.holder(service)).toMatchObject({ value: null });
  });

  it('does not wait for the lock of another run, and names its holder', async () => {
    const { apply, writes } = await planned();
    let second: Awaited<ReturnType<typeof apply>> | undefined;
    const first = await apply({
      onLock: async () => {
        second = await apply();
        return ok(null);
      },
    });
    expect(first.ok).toBe(true);
    expect(second).toMatchObject({ ok: false, problems: [{ code: 'lock-held' }] });
    expect(second?.problems[0]?.message).toContain(hostname());
    expect(writes()).toBe(1);
  });

  it('saves nothing and announces no end after it lost the lock', async () => {
    const { apply, state, left, nameNow } = await planned();
    const ends: unknown[] = [];
    const lost = problem('lock-held', 'another run has the lock');
    let hasBegun = false;
    const losing: State = {
      ...state,
      acquire: async (...given) => {
        const lock = await state.acquire(...given);
        if (!lock.ok) return lock;
        return ok({ ...leaseOf(lock.value), refusal: () => (hasBegun ? lost : undefined) });
      },
    };
    const end = await apply(
      { onEnd: async (each) => void ends.push(each) },
      {
        state: losing,
        onEvent: ({ type }) => {
          hasBegun ||= type === 'run_start';
        },
      },
    );
    expect(end).toMatchObject({ ok: true, value: { isLost: true } });
    expect([ends, await left(), await nameNow()]).toEqual([[], null, 'A']);
  });

  it('relies on the read that the plan was made from, unless another run was first', async () => {
    const alone = await planned();
    const before = alone.reads();
    await alone.apply({ observed: alone.observed });
    // One read verifies the result.
    expect(alone.reads() - before).toBe(1);
    const { apply, observed, writes, reads, state } = await planned();
    await apply();
    const from = reads();
    const again = await apply({ observed });
    // The rename is done already: it is recognized, and not sent again.
    expect(again).toMatchObject({ ok: true, value: { summary: { steps: [{ outcome: 'already' }] } } });
    const latest = await state.audit.latest(1);
    expect(latest.ok && latest.value.map(({ text }) => parseRecord(text))).toMatchObject([
      { kind: 'run-ended', what: { steps: 1, outcomes: { already: 1 } } },
    ]);
    expect(writes()).toBe(1);
    expect(reads() - from).toBe(2);
  });

  it('changes and verifies the canary hosts first', async () => {
    const calls: string[] = [];
    const names = ['1', '2', '3'];
    const { apply } = await planned({
      fleet: {
        hosts: names.map((id) => ({ id, name: `OLD-${id}` })),
        hooks: { afterEach: async ({ action }) => void calls.push(action ?? '') },
      },
      entries: names.map((id) => ({ id, name: `NEW-${id}` })),
    });
    calls.splice(0);
    expect(await apply({ canary: { kind: 'count', count: 1 } })).toMatchObject({
      ok: true,
      value: { exitCode: 0, summary: { steps: names.map(() => ({ outcome: 'done' })) } },
    });
    expect(calls.map((each) => each === 'renameHost')).toEqual([false, true, false, true, true, false]);
  });

  it('passes on what else the run may do', async () => {
    const { apply, connection, writes } = await planned();
    const spent = await apply({ budget: { maxCalls: 0 } });
    expect(spent).toMatchObject({ value: { summary: { steps: [{ outcome: 'not-started' }] } } });
    await connection.writer.rename(hostId(1), 'BY HAND');
    expect(await apply()).toMatchObject({ value: { exitCode: 7 } });
    expect(await apply({ skipStale: true })).toMatchObject({ value: { exitCode: 5 } });
    expect(writes()).toBe(1);
  });

  it('saves no fleet if it was refused before its first step', async () => {
    const saved: unknown[] = [];
    const of = (state: State): State => ({
      ...state,
      saveFleet: async (service, observed) => (saved.push(observed), state.saveFleet(service, observed)),
    });
    const { apply, connection } = await planned({ of });
    await connection.writer.rename(hostId(1), 'BY HAND');
    expect(await apply()).toMatchObject({ value: { exitCode: 7, summary: { left: null } } });
    expect(saved).toEqual([]);
  });

  it('saves the fleet and the pace before it announces its end, and releases the lock last', async () => {
    const order: string[] = [];
    const of = (state: State): State => ({
      ...state,
      acquire: async (...given) => {
        const lock = await state.acquire(...given);
        if (!lock.ok) return lock;
        const release = async () => {
          order.push('released');
          await lock.value.release();
        };
        return ok({ ...leaseOf(lock.value), release }, [warning('lock-held', 'the last run has died')]);
      },
      saveFleet: async (...given) => {
        await inAWhile(500);
        order.push('saved');
        return state.saveFleet(...given);
      },
      startRun: async (...given) => {
        const started = await state.startRun(...given);
        if (!started.ok) return started;
        const journal = started.value;
        return ok({
          runId: journal.runId,
          seal: journal.seal,
          begin: (step) => journal.begin(step),
          outcome: (...ended) => journal.outcome(...ended),
          async end(...ended) {
            await inAWhile(500);
            order.push('recorded');
            return journal.end(...ended);
          },
        });
      },
    });
    const { plan, connection, parts, state, service } = await planned({ of });
    const reported: Problem[] = [];
    const pace = { rate: 5, latency: 0.1 };
    await applyAccount(
      { ...connection, learnedPace: () => pace },
      plan,
      {
        approvedChecksum: planChecksum(plan),
        origin,
        onEnd: async () => {
          await inAWhile(500);
          order.push('announced');
        },
        report: (problems) => void reported.push(...problems),
      },
      parts,
    );
    expect(order).toEqual(['saved', 'recorded', 'announced', 'released']);
    expect(reported).toMatchObject([{ message: 'the last run has died' }]);
    expect(await state.listRuns({ account: service })).toMatchObject({ value: [{ pace }] });
  });

  it('waits for the lock no longer than its caller wants, and not at all by default', async () => {
    const asked: unknown[] = [];
    const of = (state: State): State => ({
      ...state,
      acquire: async (_, { timeoutMs, onWait, holder }) => {
        asked.push([timeoutMs, holder.actor, onWait !== undefined]);
        onWait?.(null);
        return failed(problem('lock-held', 'another run is in progress'));
      },
    });
    const { apply } = await planned({ of });
    const waits: unknown[] = [];
    expect(await apply()).toMatchObject({ ok: false, problems: [{ code: 'lock-held' }] });
    await apply({ lockTimeoutMs: 9_000, onWait: (holder) => void waits.push(holder) });
    expect([asked, waits]).toEqual([
      [
        [0, 'ada', false],
        [9_000, 'ada', true],
      ],
      [null],
    ]);
  });

  it('waits for the lock as long as it may, says so once, and releases it at the end', async () => {
    const { apply, state, service } = await planned();
    const waits: unknown[] = [];
    let second: Awaited<ReturnType<typeof apply>> | undefined;
    let isReleased = false;
    const slow: State = {
      ...state,
      acquire: async (...given) => {
        const lock = await state.acquire(...given);
        if (!lock.ok) return lock;
        const release = async () => {
          await lock.value.release();
          isReleased = true;
        };
        return ok({ ...leaseOf(lock.value), release });
      },
    };
    await apply(
      {
        onLock: async () => {
          const stop = new AbortController();
          const onWait: ApplyOptions['onWait'] = (holder) => {
            waits.push(holder?.actor);
            stop.abort();
          };
          second = await apply({ lockTimeoutMs: 60_000, onWait }, { signal: stop.signal });
          return ok(null);
        },
      },
      { state: slow },
    );
    expect(isReleased).toBe(true);
    expect(second?.ok).toBe(false);
    expect(waits).toEqual(['ada']);
    expect(await state.holder(service)).toMatchObject({ value: null });
  });

  it('undoes no run that has not begun', async () => {
    const { apply, connection, parts, state } = await planned();
    await apply();
    const { account: service } = connection;
    const listed = await state.listRuns({ account: service });
    const [run] = listed.ok ? listed.value : [];
    if (run === undefined) throw new Error('no run');
    const asked: string[] = [];
    const undoOf = async (...runs: readonly (typeof run)[]) => {
      asked.length = 0;
      const over: State = {
        ...state,
        listRuns: async () => ok(runs),
        readRun: async (id) => {
          asked.push(id);
          return state.readRun(run.head.run_id);
        },
      };
      return planUndoOfRun(connection, [], { state: over, clock: parts.clock });
    };
    const named = (id: string, exitCode: number | null, lastAt: string) =>
      ({ ...run, head: { ...run.head, run_id: id }, exitCode, lastAt }) as typeof run;
    const later = '2099-01-01T00:00:00.000Z';
    await undoOf(named('queued', null, run.head.at), named('crashed', null, later), named('done', 0, later));
    expect(asked).toEqual(['crashed']);
    await undoOf(named('queued', null, run.head.at), named('refused', 6, run.head.at));
    expect(asked).toEqual(['refused']);
    expect((await undoOf(named('queued', null, run.head.at))).ok).toBe(false);
    expect(asked).toEqual([]);
  });

  it('is undone by reversing the latest run, if there is one', async () => {
    const { apply, connection, parts, state, paths } = await planned();
    const undo = () => planUndoOfRun(connection, [], { state, clock: parts.clock });
    expect(await undo()).toMatchObject({
      ok: false,
      problems: [{ code: 'usage', message: 'this account has no run to undo' }],
    });
    const done = await apply();
    const from = paths().length;
    const plan = await undo();
    expect(plan.ok && plan.value.plan.steps).toMatchObject([{ kind: 'rename', to: 'A' }]);
    // No reversal depends on anti-virus.
    expect(paths().slice(from)).toHaveLength(1);
    const operator = { ...account, limits: { rename: { kind: 'count', count: 0 } } } as const;
    const limited = await planUndoOfRun(connection, [], { state, clock: parts.clock, operator });
    expect(limited).toMatchObject({
      value: { plan: { breaches: [{ limit: 'rename', count: 1, allowed: 0 }] } },
    });
    const runId = done.ok ? done.value.runId : '';
    const foreign = await planUndoOfRun(
      { ...connection, account: { ...connection.account, companyId: '9' } },
      [runId],
      { state, clock: parts.clock },
    );
    expect(foreign).toMatchObject({ ok: false, problems: [{ code: 'other-account' }] });
    const unknown = await planUndoOfRun(connection, ['20261123T080000000Z-000000'], {
      state,
      clock: parts.clock,
    });
    expect(unknown.ok).toBe(false);
    const reader = { ...connection.reader, read: async () => failed(problem('network', 'nobody answers')) };
    expect(
      await planUndoOfRun({ ...connection, reader }, [runId], { state, clock: parts.clock }),
    ).toMatchObject({ ok: false, problems: [{ code: 'network' }] });
    const broken: State = { ...state, listRuns: async () => failed(problem('state', 'the disk is full')) };
    expect(await planUndoOfRun(connection, [], { state: broken, clock: parts.clock })).toMatchObject({
      ok: false,
      problems: [{ code: 'state' }],
    });
  });
});
