import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failed, ok, problem, warning } from '../../../../src/core/problem/problem.ts';
import type { State } from '../../../../src/run/state/interface/state.ts';
import { leaseMs } from '../../../../src/run/state/lease/lease-rules.ts';
import type { JobHandler } from '../../../../src/server/queue/queue.ts';
import { accountJobs } from '../../../../src/server/queue/rules/job-handlers.ts';
import type { JobParts } from '../../../../src/server/queue/rules/job-parts.ts';
import { overrideRefusal } from '../../../../src/server/runs/rules/may-override.ts';
import { proposeUndo } from '../../../../src/server/runs/rules/propose-undo.ts';
import { changesFleet } from '../../../../src/service/emulator/emulated-action.ts';
import type { GivenAccount } from '../../../given/accounts.ts';
import { alice, inAWhile, place, runOf } from '../../jobs/given.ts';
import { givenMemoryJobs } from '../../jobs/given-memory.ts';

const hosts = [1, 2].map((id) => ({ id: String(id), name: `OLD-${id}` }));
const entries = [1, 2].map((id) => ({ id, name: `NEW-${id}` }));

/** A run of the checked plan that waits for its worker. */
async function givenRun(fleet: Partial<GivenAccount> = {}) {
  const jobs = await givenMemoryJobs({ groups: [], hosts, ...fleet }, entries);
  jobs.account.mode = 'propose';
  await jobs.check();
  const [plan] = jobs.plans;
  if (plan === undefined) throw new Error('no plan');
  Object.assign(plan, { commit: 'c1', pullRequest: 'https://forge.example.com/pull/17' });
  const run = await jobs.approve('because');
  if (run === undefined) throw new Error('no run');
  for (const noted of [jobs.sent, jobs.events, jobs.shared]) noted.splice(0);
  const [queued] = jobs.runs;
  if (queued === undefined) throw new Error('no run');
  return { ...jobs, plan, queued };
}

type Acquire = State['acquire'];

/** Replaces how the lock of the account is taken. */
function takeLock(
  parts: JobParts,
  how: (acquire: Acquire, ...given: Parameters<Acquire>) => ReturnType<Acquire>,
) {
  const acquire = parts.state.acquire.bind(parts.state);
  Object.assign(parts.state, { acquire: async (...given: Parameters<Acquire>) => how(acquire, ...given) });
}

/** Timers wait for the test. Everything else takes its time. */
function holdTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('the run of a stored plan', () => {
  it('applies exactly this plan, records who approved it and why, and queues a check', async () => {
    const { run, queued, plan, names, healths, sent, parts, counts, log, events, writes } = await givenRun();
    expect(await run()).toBe('ended');
    expect(names()).toEqual(['NEW-1', 'NEW-2']);
    expect(writes()).toBe(2);
    expect([queued.state, queued.exitCode, plan.state]).toEqual(['done', 0, 'done']);
    expect(healths).toEqual(['running']);
    expect(sent).toEqual(['check berlin']);
    expect(counts).toEqual([{ changes: 2, rateLimited: 0 }]);
    expect(log.map(({ type }) => type)).toEqual(['done', 'done']);
    const recorded = await parts.state.readRun(queued.journal ?? '');
    expect(recorded.ok && recorded.value.head.origin).toMatchObject({
      actor: 'Alice Doe',
      command: 'server',
      reason: 'because',
      commit: 'c1',
      request: 'https://forge.example.com/pull/17',
    });
    expect(new Set(events)).toContain('berlin call');
    expect(new Set(events)).toContain('berlin run_end');
    expect(await run()).toBe('nothing');
  });

  it('counts the calls that the service refused, and shows the pace of the others', async () => {
    // A slow run would count in several parts, once a second.
    holdTimers();
    let refusals = 1;
    const { run, queued, counts } = await givenRun({
      faults: ({ action }) => {
        if (action === null || !changesFleet(action)) return [];
        refusals -= 1;
        return refusals >= 0 ? [{ kind: 'status', status: 429 }] : [];
      },
    });
    expect(await run()).toBe('ended');
    expect(counts).toEqual([{ changes: 2, rateLimited: 1 }]);
    expect(queued.progress['pace']).toMatchObject({ rate_limited: 1, limit: expect.any(Number) });
  });

  it('names its journal once, and logs the warnings of its state', async () => {
    const { run, queued, parts, log } = await givenRun();
    const { note } = parts.store.runs;
    const journals: unknown[] = [];
    Object.assign(parts.store.runs, {
      note: async (...[id, given]: Parameters<typeof note>) => {
        if (Object.hasOwn(given, 'journal')) journals.push(given.journal);
        return note(id, given);
      },
    });
    takeLock(parts, async (acquire, ...given) => {
      const lock = await acquire(...given);
      return lock.ok ? ok(lock.value, [warning('lock-held', 'the last run has died')]) : lock;
    });
    await run();
    expect(journals).toEqual([queued.journal]);
    expect(log[0]).toMatchObject({ type: 'warning', text: 'the last run has died' });
  });

  it('waits for its lock until a dead worker has lost it, and keeps it until its end is written', async () => {
    const { run, queued, parts } = await givenRun();
    let waitMs = 0;
    const states: string[] = [];
    takeLock(parts, async (acquire, account, request) => {
      waitMs = request.timeoutMs;
      const lock = await acquire(account, request);
      if (!lock.ok) return lock;
      const { epoch, lost } = lock.value;
      return ok({
        epoch,
        lost,
        refusal: () => lock.value.refusal(),
        confirm: () => lock.value.confirm(),
        release: async () => {
          states.push(queued.state);
          await lock.value.release();
        },
      });
    });
    await run();
    expect(waitMs).toBeGreaterThan(leaseMs);
    expect(states).toEqual(['done']);
  });

  it('shows its progress once a second, and ends after the last check', async () => {
    holdTimers();
    let shown: unknown;
    const { promise, resolve } = Promise.withResolvers<void>();
    const given = await givenRun({
      hooks: {
        async afterEach({ action }) {
          if (action === null || !changesFleet(action) || shown !== undefined) return;
          shown = null;
          await vi.advanceTimersByTimeAsync(1_000);
          while (given.queued.progress['journals'] === undefined) await inAWhile();
          shown = given.queued.progress['journals'];
          await vi.advanceTimersByTimeAsync(1_000);
          await inAWhile(20);
        },
      },
    });
    let isHeld = false;
    const { find } = given.parts.store.runs;
    Object.assign(given.parts.store.runs, {
      find: async (...asked: Parameters<typeof find>) => {
        const found = await find(...asked);
        if (Array.isArray(shown) && !isHeld) {
          isHeld = true;
          await promise;
        }
        return found;
      },
    });
    let end: string | undefined;
    const ended = given.run().then((how) => (end = how));
    await vi.waitFor(() => expect(given.sent).toEqual(['check berlin']), { interval: 1, timeout: 15_000 });
    await inAWhile(200);
    expect([shown, end]).toEqual([[given.queued.journal], undefined]);
    resolve();
    await ended;
    expect(end).toBe('ended');
  });

  it.each([
    ['a person', 'stopped'],
    ['a window', 'stopped'],
    ['its worker', 'running'],
  ] as const)(
    'lets a slow call end, so that its check reads the effect, unless its worker ends: stopped by %s',
    async (who, state) => {
      holdTimers();
      const worker = new AbortController();
      let writes = 0;
      const given = await givenRun({
        hooks: {
          async afterEach({ action }) {
            if (action === null || !changesFleet(action)) return;
            writes += 1;
            if (writes > 1) return;
            if (who === 'a person') given.queued.state = 'stopping';
            else if (who === 'a window')
              Object.assign(given.parts.settings, { overrun: 'end', freezes: [{ name: 'release', place }] });
            else worker.abort();
            // More than the grace period of a process that ends.
            for (let second = 0; second < 8; second += 1) {
              await vi.advanceTimersByTimeAsync(1_000);
              await inAWhile(20);
            }
          },
        },
      });
      await given.run(worker.signal);
      expect(given.queued).toMatchObject({ state, steps: { in_doubt: who === 'its worker' ? 1 : 0 } });
    },
  );

  it('is stopped by a person, or left to another worker, while it waits for its lock', async () => {
    holdTimers();
    const stoppedWhile = async (stop: (given: Awaited<ReturnType<typeof givenRun>>) => Promise<unknown>) => {
      const given = await givenRun();
      const worker = new AbortController();
      takeLock(given.parts, async (_, __, { signal }) => {
        await stop({ ...given, run: async () => (worker.abort(), 'ended') });
        await inAWhile(20);
        expect(signal?.aborted).toBe(true);
        return failed(problem('cancelled', 'stopped while waiting for the lock'));
      });
      return [await given.run(worker.signal), given.queued.state, given.plan.state, given.writes()];
    };
    const byPerson = stoppedWhile(async ({ queued }) => {
      queued.state = 'stopping';
      await vi.advanceTimersByTimeAsync(1_000);
    });
    expect(await byPerson).toEqual(['ended', 'stopped', 'stale', 0]);
    expect(await stoppedWhile(({ run }) => run())).toEqual(['continue', 'queued', 'approved', 0]);
  });

  it('shares when it read the lists at its end, and no longer listens to its worker', async () => {
    const worker = new AbortController();
    const { run, shared } = await givenRun();
    expect(await run(worker.signal)).toBe('ended');
    expect([shared, getEventListeners(worker.signal, 'abort')]).toEqual([['list times'], []]);
  });

  it('is begun by the server if nobody started it', async () => {
    const { run, queued, plan, parts } = await givenRun();
    Object.assign(queued, { by: null, reason: null });
    Object.assign(plan, { commit: null, pullRequest: null });
    await run();
    const recorded = await parts.state.readRun(queued.journal ?? '');
    const origin = recorded.ok ? recorded.value.head.origin : undefined;
    expect(origin).toMatchObject({ actor: 'Rampart Server' });
    expect(Object.keys(origin ?? {})).not.toContain('reason');
    expect(Object.keys(origin ?? {})).not.toContain('commit');
  });

  it('is refused if its account or its plan was removed, and nothing is sent', async () => {
    const without = await givenRun();
    Object.assign(without.settings, { accounts: [] });
    expect(await without.run()).toBe('ended');
    expect(without.queued).toMatchObject({
      state: 'failed',
      exitCode: 3,
      progress: { problems: [{ code: 'configuration', message: 'the account is no longer configured' }] },
    });
    const stale = await givenRun();
    stale.plan.state = 'stale';
    expect(await stale.run()).toBe('ended');
    expect(stale.queued).toMatchObject({ state: 'stopped', exitCode: 7 });
    expect([without.writes(), stale.writes()]).toEqual([0, 0]);
  });

  it('waits while changes are paused, even if someone overrides the windows, and says until when', async () => {
    const { run, queued, pauses, plan, writes, now, pass } = await givenRun();
    const until = new Date(now() + 60_000);
    pauses.push({ scope: 'all', by: alice, reason: 'moving house', until });
    queued.override = { by: alice, reason: 'incident', at: '2026-11-23T08:00:00Z' };
    expect(await run()).toBe('waiting');
    expect(queued.progress['waits_for']).toEqual({
      kind: 'pause',
      message: 'Alice Doe paused changes: moving house',
      until: `ends ${until.toISOString()}`,
    });
    expect([queued.state, plan.state, writes()]).toEqual(['queued', 'approved', 0]);
    pass(60_000);
    expect(await run()).toBe('ended');
    expect(writes()).toBe(2);
  });

  it('waits for a freeze before a pause, and takes no lock meanwhile', async () => {
    const { run, queued, pauses, settings, parts } = await givenRun();
    pauses.push({ scope: 'all', by: alice, reason: 'x', until: null });
    settings.freezes.push({ name: 'year-end', place });
    takeLock(parts, async () => {
      throw new Error('no lock is needed');
    });
    expect(await run()).toBe('waiting');
    expect(queued.progress['waits_for']).toMatchObject({ kind: 'window' });
  });

  it('is refused before it begins if its account only observes', async () => {
    const { run, queued, plan, account, writes } = await givenRun();
    account.mode = 'observe';
    expect(await run()).toBe('ended');
    expect([queued.state, queued.exitCode, plan.state, writes()]).toEqual(['failed', 6, 'stale', 0]);
  });

  it('is refused before it begins if only signed plans may be applied, and its plan is not signed', async () => {
    const { run, queued, env, writes } = await givenRun();
    Object.assign(env, { RAMPART_REQUIRE_SIGNATURE: 'server' });
    expect(await run()).toBe('ended');
    expect([queued.state, writes()]).toEqual(['failed', 0]);
    expect(JSON.stringify(queued.progress)).toContain('RAMPART_ALLOWED_SIGNERS');
  });

  it.each([
    [[], 'a change ticket is required'],
    [['CHG1', 'CHG2', null], 'the ticket "CHG2" could not be checked'],
  ])(
    'is refused before its first write if the latest ticket of %j is not confirmed',
    async (tickets, why) => {
      const { run, queued, plan, account, writes } = await givenRun();
      Object.assign(account, { ticket: { source: 'snow', path: 'changes?number={ticket}', place } });
      const [approval] = plan.approvals;
      Object.assign(plan, { approvals: [approval, ...tickets.map((ticket) => ({ ...approval, ticket }))] });
      expect(await run()).toBe('ended');
      expect([queued.state, writes()]).toEqual(['failed', 0]);
      expect(queued.progress['problems']).toMatchObject([{ message: expect.stringContaining(why) }]);
    },
  );

  it('leaves out the hosts whose approved change the latest check no longer found', async () => {
    const { run, queued, plan, names } = await givenRun();
    Object.assign(plan, { later: { leftOut: ['2'], authors: [] } });
    expect(await run()).toBe('ended');
    expect([queued.state, names()]).toEqual(['done', ['NEW-1', 'OLD-2']]);
  });

  it('reports who must act if a pause has no end', async () => {
    const { run, queued, pauses } = await givenRun();
    pauses.push({ scope: 'account:berlin', by: alice, reason: 'x', until: null });
    await run();
    expect(queued.progress['waits_for']).toMatchObject({ until: 'someone resumes the account' });
  });

  it('that another worker began continues during a pause, but not after a lasting refusal', async () => {
    const paused = await givenRun();
    paused.pauses.push({ scope: 'all', by: alice, reason: 'x', until: null });
    paused.queued.state = 'running';
    paused.plan.state = 'running';
    expect(await paused.run()).toBe('ended');
    expect([paused.writes(), paused.queued.state]).toEqual([2, 'done']);
    const forbidden = await givenRun();
    forbidden.queued.state = 'running';
    forbidden.env['RAMPART_READ_ONLY'] = '1';
    expect(await forbidden.run()).toBe('ended');
    expect([forbidden.writes(), forbidden.queued.state, forbidden.queued.exitCode]).toEqual([0, 'failed', 6]);
  });

  it.each(['queued', 'running'] as const)('that is %s waits for the end of a freeze', async (state) => {
    const { run, queued, plan, settings, writes } = await givenRun();
    queued.state = state;
    settings.freezes.push({ name: 'year-end', place });
    expect(await run()).toBe('waiting');
    expect([queued.state, plan.state, writes()]).toEqual(['queued', 'approved', 0]);
    expect(queued.progress['waits_for']).toMatchObject({ kind: 'window', until: 'the freeze has no end' });
    queued.override = { by: alice, reason: 'incident', at: '2026-11-23T08:00:00Z' };
    expect(await run()).toBe('ended');
    expect(writes()).toBe(2);
  });

  it('is stopped if someone requested it before it began, even during a freeze', async () => {
    const { run, queued, plan, settings, writes, record } = await givenRun();
    settings.freezes.push({ name: 'year-end', place });
    queued.state = 'stopping';
    expect(await run()).toBe('ended');
    expect([queued.state, plan.state, writes()]).toEqual(['stopped', 'stale', 0]);
    expect(record.hold).toMatchObject({ kind: 'stopped' });
  });

  it('does not touch a run that another worker ended meanwhile', async () => {
    const { run, queued, parts, writes } = await givenRun();
    const acquire = parts.state.acquire.bind(parts.state);
    Object.assign(parts.state, {
      acquire: async (...given: Parameters<typeof acquire>) => {
        queued.state = 'done';
        return acquire(...given);
      },
    });
    expect(await run()).toBe('nothing');
    expect([queued.state, writes()]).toEqual(['done', 0]);
  });

  it('is refused if its plan expired or was replaced before the run got the lock', async () => {
    const { run, queued, plan, parts, writes } = await givenRun();
    const acquire = parts.state.acquire.bind(parts.state);
    Object.assign(parts.state, {
      acquire: async (...given: Parameters<typeof acquire>) => {
        plan.state = 'expired';
        return acquire(...given);
      },
    });
    expect(await run()).toBe('ended');
    expect(queued).toMatchObject({ state: 'stopped', exitCode: 7 });
    expect(JSON.stringify(queued.progress)).toContain('check the account again, and approve its new plan');
    expect(writes()).toBe(0);
  });

  it('is left to another worker if the state fails or the lock is taken', async () => {
    for (const [method, code] of [
      ['acquire', 'lock-held'],
      ['readEarlier', 'state'],
      ['startRun', 'journal'],
      ['startRun', 'lock-lost'],
    ] as const) {
      const { run, queued, parts, writes, sent } = await givenRun();
      Object.assign(parts.state, { [method]: async () => failed(problem(code, 'x')) });
      expect(await run(), method).toBe('continue');
      expect([['queued', 'running'].includes(queued.state), writes(), sent]).toEqual([true, 0, []]);
    }
  });

  it('is left to another worker if a clock that went back requires missing records', async () => {
    const { run, parts, pass, queued } = await givenRun();
    const { readEarlier } = parts.state;
    Object.assign(parts.state, {
      readEarlier: async (...given: Parameters<typeof readEarlier>) => {
        pass(-1_000);
        return readEarlier(...given);
      },
      listRuns: async () => failed(problem('state', 'the database is away')),
    });
    expect([await run(), queued.state]).toEqual(['continue', 'queued']);
  });

  it("is refused, without secrets, if its account can't be opened", async () => {
    const { run, queued, env, writes, log } = await givenRun();
    env['RAMPART_PSK'] = 'not a key at all';
    expect(await run()).toBe('ended');
    expect(queued.state).toBe('failed');
    expect(JSON.stringify([queued, log])).not.toContain('not a key at all');
    expect(writes()).toBe(0);
    const without = await givenRun();
    delete without.env['RAMPART_PSK'];
    expect(await without.run()).toBe('ended');
    expect(without.queued.progress).toMatchObject({ problems: [{ code: 'missing-credentials' }] });
  });

  it('leaves the rest to another worker when its worker stops, and that one continues', async () => {
    const worker = new AbortController();
    let written = 0;
    const first = await givenRun({
      hooks: {
        async afterEach({ action }) {
          if (action === null || !changesFleet(action)) return;
          written += 1;
          if (written === 1) worker.abort();
        },
      },
    });
    expect(await first.run(worker.signal)).toBe('continue');
    expect(first.sent).toEqual([]);
    expect([first.queued.state, first.plan.state]).toEqual(['running', 'running']);
    expect(first.log.map(({ type }) => type)).toContain('stop');
    expect(await first.run()).toBe('ended');
    expect([first.queued.state, first.names()]).toEqual(['done', ['NEW-1', 'NEW-2']]);
    expect(first.queued.progress['journals']).toHaveLength(2);
  });

  it('ends as failed after a defect of the program, and does not end if the database is unavailable', async () => {
    const broken = await givenRun();
    Object.assign(broken.parts.state, {
      acquire: async () => {
        throw new TypeError('x is not a function');
      },
    });
    expect(await broken.run()).toBe('ended');
    expect(broken.queued).toMatchObject({ state: 'failed', exitCode: 1 });
    const away = await givenRun();
    Object.assign(away.parts.state, {
      acquire: async () => {
        throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      },
    });
    expect(await away.run()).toBe('continue');
    expect(away.queued.state).toBe('queued');
  });
});

describe('a job of the queues', () => {
  const jobOf = (stopping: AbortSignal): Parameters<JobHandler>[0] => ({
    key: 'berlin',
    attempt: 0,
    stopping,
  });
  const never = new AbortController().signal;

  it('is run again if its run must continue on another worker', async () => {
    const { parts, queued } = await givenRun();
    for (const [stopping, signal] of [
      [AbortSignal.abort(), never],
      [never, AbortSignal.abort()],
    ] as const) {
      const worked = accountJobs(parts).run(jobOf(stopping), signal);
      await expect(worked).rejects.toThrow('another worker continues the run');
    }
    await accountJobs(parts).run(jobOf(never), never);
    expect(queued.state).toBe('done');
  });

  it('checks the account, and is run again if the check was stopped', async () => {
    const { parts, checks, failToLoad } = await givenRun();
    const before = checks.length;
    await accountJobs(parts).check(jobOf(AbortSignal.abort()), never);
    expect(checks).toHaveLength(before + 1);
    failToLoad(problem('network', 'the service is away'));
    const stopped = accountJobs(parts).check(jobOf(never), AbortSignal.abort());
    await expect(stopped).rejects.toThrow('the check was stopped before its end');
    Object.assign(parts.settings, { accounts: [] });
    await accountJobs(parts).check(jobOf(never), never);
    expect(checks).toHaveLength(before + 1);
  });

  it('records a failure that has nothing to do with its worker', async () => {
    const { parts, checks, failToLoad } = await givenRun();
    failToLoad(problem('network', 'the service is away'));
    await accountJobs(parts).check(jobOf(never), never);
    expect(checks.at(-1)).toMatchObject({ health: 'failing', failure: { code: 'network' } });
  });
});

describe('an override of change windows', () => {
  const conflict = (message: string) => ({ code: 'conflict', message });

  it('is refused for a run that has ended, that someone stops, or whose windows are overridden already', async () => {
    const { parts } = await givenRun();
    const refusal = (changes: Parameters<typeof runOf>[1]) =>
      overrideRefusal(runOf('berlin', changes), parts);
    expect(await refusal({ endedAt: new Date() })).toMatchObject(conflict('the run has ended'));
    expect(await refusal({ state: 'stopping' })).toMatchObject(conflict('someone asked the run to stop'));
    const override = { by: alice, reason: 'x', at: '2026-11-23T08:00:00Z' };
    expect(await refusal({ override })).toMatchObject(
      conflict('Alice Doe already overrides the change windows of this run'),
    );
  });

  it('is possible for a run in progress, and for one that waits for a window', async () => {
    const { parts, queued, settings } = await givenRun();
    expect(await overrideRefusal({ ...queued, state: 'running' }, parts)).toBeUndefined();
    expect(await overrideRefusal(queued, parts)).toMatchObject(
      conflict('the run is not waiting for a change window or a freeze'),
    );
    settings.freezes.push({ name: 'year-end', place });
    expect(await overrideRefusal(queued, parts)).toBeUndefined();
    expect(await overrideRefusal({ ...queued, plan: null }, parts)).toMatchObject({ code: 'stale-plan' });
    Object.assign(settings, { accounts: [] });
    expect(await overrideRefusal(queued, parts)).toMatchObject({ code: 'conflict' });
  });
});

describe('the reversal of a run', () => {
  it('waits for approval in every mode, and reverses what the run changed', async () => {
    const { run, queued, parts, plans, account, names, settings, approve } = await givenRun();
    await run();
    account.mode = 'correct';
    const undo = await proposeUndo(queued, alice, parts);
    expect(undo).toMatchObject({ ok: true, value: plans[0]?.id });
    expect(plans[0]).toMatchObject({
      state: 'waiting',
      source: `undo of run ${queued.id}`,
      commit: null,
      author: 'Alice Doe',
      changes: 2,
      irreversible: 0,
    });
    await approve('back');
    await run();
    expect(names()).toEqual(['OLD-1', 'OLD-2']);
    expect(await proposeUndo(queued, alice, parts)).toMatchObject({
      ok: false,
      problems: [{ code: 'usage', message: 'no change of this run can be undone' }],
    });
    const { readRun } = parts.state;
    Object.assign(parts.state, {
      readRun: async (id: string) => {
        const read = await readRun(id);
        if (!read.ok) return read;
        const { head } = read.value;
        const moved = { ...head.account, service: 'http://127.0.0.1:1' };
        return ok({ ...read.value, head: { ...head, account: moved } });
      },
    });
    expect(await proposeUndo(queued, alice, parts)).toMatchObject({
      problems: [
        {
          code: 'other-account',
          message: expect.stringMatching(
            / changed the fleet at http:\/\/127\.0\.0\.1:1, but the account is now at /,
          ),
          hint: expect.stringContaining('desired state'),
        },
      ],
    });
    Object.assign(settings, { accounts: [] });
    expect(await proposeUndo(queued, alice, parts)).toMatchObject({ problems: [{ code: 'configuration' }] });
  });

  it('is refused for a run that has not ended or changed nothing, and while a plan runs', async () => {
    const { run, queued, parts, plans, env, shared } = await givenRun();
    const refused = (changes: object) => proposeUndo({ ...queued, ...changes }, alice, parts);
    expect(await refused({ journal: 'j1' })).toMatchObject({
      problems: [{ code: 'usage', message: 'the run has not ended' }],
    });
    expect(await refused({ endedAt: new Date() })).toMatchObject({
      problems: [{ code: 'usage', message: 'the run has changed nothing, so there is nothing to undo' }],
    });
    expect((await refused({ endedAt: new Date(), journal: 'gone' })).ok).toBe(false);
    await run();
    const [plan] = plans;
    if (plan !== undefined) plan.state = 'running';
    shared.splice(0);
    expect(await refused({})).toMatchObject({ ok: false, problems: [{ code: 'lock-held' }] });
    expect(shared).toEqual(['list times']);
    delete env['RAMPART_PSK'];
    expect(await refused({})).toMatchObject({ problems: [{ code: 'missing-credentials' }] });
  });
});
