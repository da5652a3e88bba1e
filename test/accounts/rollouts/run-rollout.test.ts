import { once } from 'node:events';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountEnd, endEvent } from '../../../src/accounts/rollouts/account-end.ts';
import { changeRollout, keepRecord } from '../../../src/accounts/rollouts/rollout-record-keeper.ts';
import { type RolloutProgress, runRollout } from '../../../src/accounts/rollouts/run-rollout.ts';
import { type AccountUndone, undoRollout } from '../../../src/accounts/rollouts/undo-rollout.ts';
import type { Clock } from '../../../src/core/lib/surroundings.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import { leaseLost } from '../../../src/run/state/lease/lease.ts';
import { type RolloutLog, rolloutOf } from '../../../src/run/state/rollout/rollout.ts';
import type { RolloutEvent, RolloutHead } from '../../../src/run/state/rollout/rollout-record.ts';
import type { RolloutStore } from '../../../src/run/state/rollout/rollout-store.ts';
import {
  type GivenEvent,
  givenEvents,
  givenRollout,
  memoryRollouts,
  rolloutAfter,
} from '../../given/rollouts.ts';

const clock = { now: () => 0, sleep: async () => {} };
const never = new AbortController().signal;
const { problems: leaseLostProblems } = failed(leaseLost());
const ended = (exitCode: number): AccountEnd => ({ exitCode, runId: 'r1' });
const closed = (why: string): AccountEnd => ({ exitCode: 6, why, stops: 'closed-window' });
const twelve = givenRollout({
  canary: ['c'],
  '50%': ['w1', 'w2', 'w3', 'w4', 'w5'],
  '100%': ['w6', 'w7', 'w8', 'w9', 'x1', 'x2'],
});

interface Given {
  readonly head?: RolloutHead;
  readonly store?: RolloutStore;
  readonly apply?: (account: string, halt: AbortSignal) => Promise<AccountEnd> | AccountEnd;
  readonly stop?: AbortSignal;
  readonly lost?: AbortSignal;
  readonly clock?: Clock;
  readonly until?: number;
}

async function begun(head: RolloutHead, store: RolloutStore) {
  await store.create(head);
  await store.append(head.rollout_id, 0, givenEvents(['begun']));
}

/** A store in memory with a rollout that has begun, and its record. */
async function recorded() {
  const store = memoryRollouts();
  await begun(twelve, store);
  return { store, record: keepRecord(store, store.logs.get(twelve.rollout_id) as RolloutLog) };
}

/** Nothing can be written that is refused. */
const full = problem('state', 'the disk is full');
function refusing(memory: RolloutStore, isRefused: (type: string | undefined) => boolean): RolloutStore {
  return {
    ...memory,
    append: async (...entry) => (isRefused(entry[2][0]?.type) ? failed(full) : memory.append(...entry)),
  };
}

async function run({
  head = twelve,
  store = memoryRollouts(),
  apply = () => ended(0),
  stop,
  lost,
  clock: time = clock,
  until,
}: Given = {}) {
  if ((await store.list()).ok) {
    const known = await store.read(head.rollout_id);
    if (known.ok && known.value === null) await begun(head, store);
  }
  const log = await store.read(head.rollout_id);
  if (!log.ok || log.value === null) throw new Error('no rollout');
  const applied: string[] = [];
  const events: RolloutProgress[] = [];
  const result = await runRollout({
    record: keepRecord(store, log.value),
    lease: { lost: lost ?? never },
    clock: time,
    stop: stop ?? never,
    ...(until === undefined ? {} : { until }),
    apply: async (account, halt) => {
      applied.push(account.name);
      await Promise.resolve();
      return apply(account.name, halt);
    },
    onEvent: (event) => events.push(event),
  });
  const after = await store.read(head.rollout_id);
  if (!after.ok || after.value === null) throw new Error('no rollout');
  return { result, applied, events, store, stored: rolloutOf(after.value) };
}

const statuses = ({ accounts }: { accounts: ReadonlyMap<string, { status: string }> }) =>
  Object.fromEntries([...accounts].map(([name, { status }]) => [name, status]));

describe('a rollout', () => {
  it('applies every account once, wave after wave, and is completed', async () => {
    const { result, applied, events, stored } = await run();
    expect(result).toMatchObject({ stop: null, problems: [] });
    expect(applied).toEqual(twelve.waves.flatMap(({ accounts }) => accounts));
    expect(stored.state).toBe('completed');
    expect(new Set(Object.values(statuses(stored)))).toEqual(new Set(['done']));
    expect(stored.accounts.get('c')).toMatchObject({ exitCode: 0, runId: 'r1' });
    expect(events.filter(({ type }) => type === 'wave-started')).toHaveLength(3);
  });
  it('stops at a failed canary, before any other account starts', async () => {
    const { applied, stored } = await run({ apply: () => ended(5) });
    expect(applied).toEqual(['c']);
    expect(stored).toMatchObject({ state: 'stopped', stop: { kind: 'failed-canary', account: 'c' } });
  });
  it('stops at exit code 8, lets running accounts finish, and can be continued', async () => {
    const head = { ...twelve, max_failed: { kind: 'share', percent: 100 } as const };
    const first = await run({ head, apply: (name) => ended(name === 'w1' ? 8 : 0) });
    expect(first.applied).toEqual(['c', 'w1', 'w2']);
    expect(first.stored).toMatchObject({ state: 'stopped', stop: { kind: 'unverified', account: 'w1' } });
    await first.store.append(
      head.rollout_id,
      first.stored.revision,
      givenEvents(['continued', undefined, { origin: head.origin }]),
    );
    const second = await run({ head, store: first.store });
    expect(second.applied).toEqual(['w1', ...twelve.waves.flatMap(({ accounts }) => accounts).slice(3)]);
    expect(second.stored.state).toBe('completed');
  });
  it('stops at a closed window, and keeps the account for later', async () => {
    const why = 'opens at 22:00';
    const { result, stored } = await run({ apply: (name) => (name === 'w2' ? closed(why) : ended(0)) });
    expect(result.stop).toMatchObject({ kind: 'closed-window', account: 'w2', why });
    expect(stored.accounts.get('w2')).toMatchObject({ status: 'pending', exitCode: 6, why });
  });
  it('stops at a signal, and keeps interrupted accounts for later', async () => {
    const stop = new AbortController();
    const { result, stored, applied } = await run({
      stop: stop.signal,
      apply: async (name, halt) => {
        if (name === 'w1') await once(halt, 'abort');
        if (name === 'w2') stop.abort();
        return ended(halt.aborted ? 130 : 0);
      },
    });
    expect(result.stop?.kind).toBe('signal');
    expect(applied).toEqual(['c', 'w1', 'w2']);
    expect(statuses(stored)).toMatchObject({ w1: 'pending', w2: 'pending', w3: 'pending' });
  });
  it('starts nothing after another process has aborted it', async () => {
    const store = memoryRollouts();
    const { applied, stored, result } = await run({
      store,
      apply: async (name) => {
        const log = await store.read(twelve.rollout_id);
        if (name === 'w1' && log.ok && log.value !== null)
          await keepRecord(store, log.value).note(
            givenEvents(['aborted', undefined, { origin: twelve.origin }]),
          );
        return ended(0);
      },
    });
    expect(applied).toEqual(['c', 'w1', 'w2']);
    expect(result.stop?.kind).toBe('aborted');
    expect(stored.state).toBe('aborted');
    expect(store.logs.get(twelve.rollout_id)?.events.at(-1)?.type).toBe('account-ended');
    expect(statuses(stored)).toMatchObject({ w1: 'done', w2: 'done', w3: 'pending' });
  });
  it('writes nothing more after its lock is lost', async () => {
    const memory = memoryRollouts();
    let isLost = false;
    const store: RolloutStore = {
      ...memory,
      append: async (...entry) => (isLost ? failed(leaseLost()) : memory.append(...entry)),
    };
    const { applied, result } = await run({
      store,
      apply: (name) => {
        isLost = name === 'w1';
        return ended(0);
      },
    });
    expect(result).toMatchObject({ stop: { kind: 'lost-lock' }, problems: [{ code: 'lock-lost' }] });
    expect(applied.length).toBeLessThanOrEqual(3);
  });
  it('applies an account again if a process died while applying it, but none that is done', async () => {
    const store = memoryRollouts();
    await begun(twelve, store);
    await store.append(
      twelve.rollout_id,
      1,
      givenEvents(
        ['account-started', 'c'],
        ['account-ended', 'c', { status: 'done', exit_code: 0 }],
        ['account-started', 'w1'],
      ),
    );
    const { applied, events } = await run({ store });
    expect(events[0]).toEqual({ type: 'wave-started', wave: 1 });
    expect(applied.slice(0, 2)).toEqual(['w1', 'w2']);
    expect(applied).not.toContain('c');
  });
  it('counts accounts that could not be planned as failed', async () => {
    const left = { account: 'z', status: 'failed', exit_code: 4, why: 'no key' } as const;
    const { applied, stored } = await run({ head: { ...twelve, left_out: [left] } });
    expect(applied).toEqual([]);
    expect(stored.stop).toMatchObject({
      kind: 'failed-accounts',
      why: '1 account failed, and none may fail',
    });
  });
  it('does not count the accounts that it skips', async () => {
    const skipped = ['x', 'y', 'z'].map((account) => ({
      account,
      status: 'skipped' as const,
      exit_code: 0,
      why: 'nothing to do',
    }));
    const failure = { account: 'u', status: 'failed', exit_code: 4, why: 'no key' } as const;
    const half = { kind: 'share', percent: 50 } as const;
    const head = { ...givenRollout({ '100%': ['a'] }), left_out: [...skipped, failure], max_failed: half };
    expect((await run({ head })).stored.state).toBe('completed');
    const { stored } = await run({ head, apply: () => ended(5) });
    expect(stored).toMatchObject({ state: 'stopped', stop: { why: '2 accounts failed, and 1 may fail' } });
    const none = { kind: 'count', count: 0 } as const;
    const planned = await run({ head: { ...head, left_out: skipped, max_failed: none } });
    expect(planned.stored.state).toBe('completed');
  });
});

/** Time passes only while something waits for it. */
function givenClock() {
  const waits: number[] = [];
  let now = Date.parse('2026-11-23T08:00:00Z');
  const clock: Clock = {
    now: () => now,
    async sleep(ms) {
      await Promise.resolve();
      waits.push(ms);
      now += ms;
    },
  };
  return { clock, waits, start: now };
}

describe('the pause between the waves of a rollout', () => {
  const two = givenRollout({ canary: ['a'], '100%': ['b'] }, { pause_ms: 5_000 });

  it('starts at the end of the last account, and checks for an abort every two seconds', async () => {
    const { clock: time, waits, start } = givenClock();
    const { applied, events, stored } = await run({
      head: two,
      clock: time,
      apply: async (name) => {
        if (name === 'a') await time.sleep(700);
        return ended(0);
      },
    });
    expect(applied).toEqual(['a', 'b']);
    expect(waits).toEqual([700, 2_000, 2_000, 1_000]);
    expect(stored.state).toBe('completed');
    const account = { type: 'account-started', account: 'a', wave: 0 };
    const end = { type: 'account-ended', status: 'done', exit_code: 0, run_id: 'r1' };
    const at = (ms: number) => new Date(start + ms).toISOString();
    expect(events).toEqual([
      { type: 'wave-started', wave: 0 },
      account,
      { ...end, account: 'a', at: at(700) },
      { type: 'pause', wave: 1, ms: 5_000 },
      { type: 'wave-started', wave: 1 },
      { ...account, account: 'b', wave: 1 },
      { ...end, account: 'b', at: at(5_700) },
    ]);
  });

  it('lasts as long if another process continues the rollout meanwhile', async () => {
    const { clock: time, waits, start } = givenClock();
    const store = memoryRollouts();
    await begun(two, store);
    const at = new Date(start - 1_500).toISOString();
    const done = { status: 'done', exit_code: 0, at };
    await store.append(
      two.rollout_id,
      1,
      givenEvents(['account-started', 'a'], ['account-ended', 'a', done]),
    );
    const { applied } = await run({ head: two, store, clock: time });
    expect([applied, waits]).toEqual([['b'], [2_000, 1_500]]);
  });

  it('does not start again at an account whose window was closed', async () => {
    const { clock: time, waits, start } = givenClock();
    const store = memoryRollouts();
    await begun(two, store);
    const at = new Date(start - 1_500).toISOString();
    const done = { status: 'done', exit_code: 0, at };
    const pending = { status: 'pending', exit_code: 6, why: 'w', at: new Date(start).toISOString() };
    await store.append(
      two.rollout_id,
      1,
      givenEvents(
        ['account-started', 'a'],
        ['account-ended', 'a', done],
        ['account-started', 'b'],
        ['account-ended', 'b', pending],
      ),
    );
    const { applied } = await run({ head: two, store, clock: time });
    expect([applied, waits]).toEqual([['b'], [2_000, 1_500]]);
  });

  it('ends at once when another process aborts the rollout', async () => {
    const { clock: time, waits } = givenClock();
    const store = memoryRollouts();
    const sleep = async (ms: number) => {
      await time.sleep(ms);
      const log = store.logs.get(two.rollout_id);
      const aborted = givenEvents(['aborted', undefined, { origin: two.origin }]);
      if (log !== undefined) await keepRecord(store, log).note(aborted);
    };
    const { applied, result, stored } = await run({ head: two, store, clock: { ...time, sleep } });
    expect([applied, waits]).toEqual([['a'], [2_000]]);
    expect(result.stop?.kind).toBe('aborted');
    expect(stored.state).toBe('aborted');
  });

  it('ends at once at a signal', async () => {
    const { clock: time, waits } = givenClock();
    const stop = new AbortController();
    const sleep = async (ms: number) => {
      await time.sleep(ms);
      stop.abort();
    };
    const { applied, result } = await run({ head: two, clock: { ...time, sleep }, stop: stop.signal });
    expect([applied, waits, result.stop?.kind]).toEqual([['a'], [2_000], 'signal']);
  });

  it.each([
    [3_000, ['a'], [2_000, 1_000]],
    [5_000, ['a'], [2_000, 2_000, 1_000]],
    [5_001, ['a', 'b'], [2_000, 2_000, 1_000]],
  ])('ends at a deadline of %i ms, after which no account starts', async (ms, names, waited) => {
    const { clock: time, waits, start } = givenClock();
    const { applied, result, stored } = await run({ head: two, clock: time, until: start + ms });
    expect([applied, waits]).toEqual([names, waited]);
    const isSpent = names.length === 1;
    expect(stored.state).toBe(isSpent ? 'stopped' : 'completed');
    if (isSpent)
      expect(result.stop).toEqual({ kind: 'budget-spent', why: 'the deadline of the rollout has passed' });
  });

  it("stops the rollout if the state can't be read", async () => {
    const { clock: time, waits } = givenClock();
    const store = memoryRollouts();
    const sleep = async (ms: number) => {
      await time.sleep(ms);
      store.read = async () => failed(full);
    };
    const { read } = store;
    await expect(run({ head: two, store, clock: { ...time, sleep } })).rejects.toThrow('no rollout');
    const log = await read(two.rollout_id);
    expect(waits).toEqual([2_000]);
    expect(log.ok && log.value && rolloutOf(log.value)).toMatchObject({
      state: 'stopped',
      stop: { kind: 'state' },
    });
  });
});

describe('a rollout that ends early', () => {
  it('reports once why it stops while accounts are still running', async () => {
    const [second, third] = [Promise.withResolvers<AccountEnd>(), Promise.withResolvers<AccountEnd>()];
    const { events, stored } = await run({
      head: { ...twelve, parallel: 3 },
      apply: async (name) => {
        if (name === 'w2') return second.promise;
        if (name === 'w3') return third.promise;
        if (name !== 'w1') return ended(0);
        setImmediate(() => {
          second.resolve(ended(5));
          setImmediate(() => third.resolve(ended(0)));
        });
        return ended(5);
      },
    });
    const stop = { kind: 'failed-accounts', why: '1 account failed, and none may fail' };
    expect(events.filter(({ type }) => type === 'stopping')).toEqual([{ type: 'stopping', stop }]);
    expect(stored).toMatchObject({ state: 'stopped', stop });
    expect(statuses(stored)).toMatchObject({ w1: 'failed', w2: 'failed', w3: 'done', w4: 'pending' });
  });

  it('reports no stop if another process undoes it while accounts are still running', async () => {
    const store = memoryRollouts();
    const { events, result } = await run({
      store,
      async apply(name) {
        const log = store.logs.get(twelve.rollout_id);
        if (name === 'w1' && log !== undefined)
          await keepRecord(store, log).note(
            givenEvents(['undo-started', undefined, { origin: twelve.origin }]),
          );
        return ended(0);
      },
    });
    expect(events.map(({ type }) => type)).not.toContain('stopping');
    expect(result).toMatchObject({ stop: null, rollout: { state: 'undoing' } });
  });

  it('reports no stop if nothing is running anymore', async () => {
    const { events } = await run({ apply: () => ended(5) });
    expect(events.map(({ type }) => type)).toEqual(['wave-started', 'account-started', 'account-ended']);
  });

  it('starts nothing and writes nothing if its lock is lost before it begins', async () => {
    const { applied, result, stored } = await run({ lost: AbortSignal.abort() });
    expect(applied).toEqual([]);
    expect(result).toMatchObject({ stop: { kind: 'lost-lock' }, problems: [] });
    expect(stored.state).toBe('running');
  });

  it('asks its accounts to stop when its lock is lost, and no longer records how they end', async () => {
    const lost = new AbortController();
    const { applied, result, stored } = await run({
      lost: lost.signal,
      apply: async (name, halt) => {
        if (name === 'w1') await once(halt, 'abort');
        if (name === 'w2') lost.abort();
        return ended(halt.aborted ? 130 : 0);
      },
    });
    expect(applied).toEqual(['c', 'w1', 'w2']);
    expect(result.stop?.kind).toBe('lost-lock');
    expect(stored.state).toBe('running');
  });

  it.each(['account-started', 'account-ended', 'completed', 'stopped'])(
    'reports why it could not write the event "%s"',
    async (refused) => {
      const store = refusing(memoryRollouts(), (type) => type === refused);
      const { result, applied } = await run({ store, apply: () => ended(refused === 'stopped' ? 5 : 0) });
      expect(result.problems).toEqual([full]);
      const isEarly = refused === 'account-started' || refused === 'account-ended';
      expect(result.stop?.kind).toBe(isEarly ? 'state' : refused === 'stopped' ? 'failed-canary' : undefined);
      expect(applied).toHaveLength(refused === 'account-started' ? 0 : refused === 'completed' ? 12 : 1);
    },
  );

  it('reports a lost lock if it is one of several problems', async () => {
    const memory = memoryRollouts();
    const store: RolloutStore = {
      ...memory,
      append: async (...entry) =>
        entry[2][0]?.type === 'account-started'
          ? failed(problem('state', 'x'), ...leaseLostProblems)
          : memory.append(...entry),
    };
    expect((await run({ store })).result.stop?.kind).toBe('lost-lock');
  });

  it('keeps a signal as the reason unless the state fails afterwards', async () => {
    const stop = new AbortController();
    const store = refusing(memoryRollouts(), (type) => type === 'account-ended' && stop.signal.aborted);
    const { result } = await run({
      store,
      stop: stop.signal,
      apply: (name) => {
        if (name === 'w1') stop.abort();
        return ended(0);
      },
    });
    expect(result.stop?.kind).toBe('state');
    expect(result.problems).toHaveLength(1);
  });

  it('continues after an entry of another process, and takes it into account', async () => {
    const memory = memoryRollouts();
    let isFirst = true;
    const store: RolloutStore = {
      ...memory,
      append: async (id, revision, events, lease) => {
        if (events[0]?.type === 'account-started' && isFirst) {
          isFirst = false;
          const { revision: last = 0 } = memory.logs.get(id) ?? {};
          await memory.append(
            id,
            last,
            givenEvents(['account-ended', 'c', { status: 'done', exit_code: 0 }]),
          );
        }
        return memory.append(id, revision, events, lease);
      },
    };
    const { applied, stored } = await run({ store });
    expect(applied).not.toContain('c');
    expect(applied).toHaveLength(11);
    expect(stored.state).toBe('completed');
  });

  it.each([
    ['ended', { exitCode: 7 }, 7, 'failed'],
    ['interrupted', { exitCode: 130 }, 130, 'pending'],
    ['outside its window', { exitCode: 6, why: 'w', stops: 'closed-window' }, 6, 'pending'],
    ['out of budget', { exitCode: 5, why: 'w', stops: 'budget-spent' }, 5, 'pending'],
  ] as const)('gives an account that is %s its exit code and state', (_, end, code, status) => {
    expect(endEvent('a', end, 'now')).toEqual({
      type: 'account-ended',
      at: 'now',
      account: 'a',
      status,
      exit_code: code,
      ...('why' in end ? { why: end.why } : {}),
    });
  });
});

it('two machines with one rollout never apply an account at the same time, and never apply a finished one again, whenever the lock changes hands', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.nat(14), async (scheduler, lostAt) => {
      const memory = memoryRollouts();
      await begun(twelve, memory);
      let epoch = 1;
      /** A store as one machine sees it: each call takes its time, and an entry is refused after the lock has passed. */
      const seenBy = (own: number): RolloutStore => ({
        ...memory,
        read: (id) => scheduler.schedule(memory.read(id)),
        append: async (...entry) => {
          await scheduler.schedule(Promise.resolve(), `append of ${own}`);
          return own === epoch ? memory.append(...entry) : failed(leaseLost());
        },
      });
      const done = new Set<string>();
      let late = 0;
      const machine = async (own: number, lost: AbortSignal) => {
        const log = await memory.read(twelve.rollout_id);
        if (!log.ok || log.value === null) throw new Error('no rollout');
        await runRollout({
          record: keepRecord(seenBy(own), log.value),
          lease: { lost },
          clock,
          stop: never,
          onEvent: () => {},
          apply: async ({ name }) => {
            if (own === 2 && rolloutAfterDone(memory, name)) late += 1;
            await scheduler.schedule(Promise.resolve(), `apply ${name}`);
            done.add(name);
            return ended(0);
          },
        });
      };
      const lost = new AbortController();
      const first = machine(1, lost.signal);
      for (let turn = 0; turn < lostAt && scheduler.count() > 0; turn += 1) await scheduler.waitOne();
      const startsOf = () =>
        memory.logs.get(twelve.rollout_id)?.events.filter(({ type }) => type === 'account-started').length ??
        0;
      // The first machine is frozen here: it does not notice yet that its lock has passed.
      epoch = 2;
      const starts = startsOf();
      const second = machine(2, never);
      const third = Promise.all([first, second]);
      await scheduler.waitFor(third);
      expect(late).toBe(0);
      expect(done.size).toBe(12);
      const log = memory.logs.get(twelve.rollout_id);
      const started =
        log?.events.flatMap((event) => (event.type === 'account-started' ? [event.account] : [])) ?? [];
      // After the lock has passed, only the second machine starts accounts, each once.
      expect(new Set(started.slice(starts)).size).toBe(started.length - starts);
      expect(rolloutOf(log ?? { head: twelve, events: [], revision: 0 }).state).toBe('completed');
    }),
    { numRuns: 60 },
  );
});

function rolloutAfterDone(memory: ReturnType<typeof memoryRollouts>, name: string): boolean {
  const log = memory.logs.get(twelve.rollout_id);
  const before =
    log?.events.filter((event) => event.type === 'account-ended' && event.account === name) ?? [];
  return before.length > 0;
}

describe('the record of a rollout', () => {
  it('retries after entries of other processes to record an event, but not to claim an account', async () => {
    const { store, record } = await recorded();
    await store.append(twelve.rollout_id, 1, givenEvents(['account-started', 'c']));
    expect(await record.claim(givenEvents(['account-started', 'w1']))).toEqual(ok(false));
    expect(record.current().accounts.get('c')?.status).toBe('running');
    await store.append(twelve.rollout_id, 2, givenEvents(['account-started', 'w2']));
    expect((await record.note(givenEvents(['account-started', 'w3']))).ok).toBe(true);
    expect(record.current().revision).toBe(4);
    expect(statuses(record.current())).toMatchObject({ w1: 'pending', w2: 'running', w3: 'running' });
  });
  it('appends one entry after another, even if several are requested at once', async () => {
    const { record } = await recorded();
    const claims = ['c', 'w1'].map((name) => record.claim(givenEvents(['account-started', name])));
    expect(await Promise.all(claims)).toEqual([ok(true), ok(true)]);
    expect(record.current().revision).toBe(3);
  });
  it('is changed by a decision, which is made again after another process has changed it', async () => {
    const memory = memoryRollouts();
    await begun(twelve, memory);
    const id = twelve.rollout_id;
    let appends = 0;
    const store: RolloutStore = {
      ...memory,
      async append(...entry) {
        appends += 1;
        if (appends === 1) await memory.append(id, 1, givenEvents(['account-started', 'c']));
        return memory.append(...entry);
      },
    };
    const seen: (string | undefined)[] = [];
    const started = givenEvents(['account-started', 'w1']);
    const changed = await changeRollout(store, id, ({ accounts }) => {
      seen.push(accounts.get('c')?.status);
      return ok(started[0] as RolloutEvent);
    });
    expect(seen).toEqual(['pending', 'running']);
    expect(changed.ok && statuses(changed.value)).toMatchObject({ c: 'running', w1: 'running' });
    expect(memory.logs.get(id)?.revision).toBe(3);
  });

  it('is not changed if the decision refuses that, or if it does not exist or the state fails', async () => {
    const store = memoryRollouts();
    await begun(twelve, store);
    const refusal = problem('conflict', 'it has ended');
    const id = twelve.rollout_id;
    const [event] = givenEvents(['completed']) as [RolloutEvent];
    expect(await changeRollout(store, id, () => failed(refusal))).toEqual(failed(refusal));
    expect(await changeRollout(store, 'gone', () => ok(event))).toMatchObject({
      problems: [{ code: 'usage', message: 'rollout "gone" does not exist' }],
    });
    const unwritable = { ...store, append: async () => failed(full) };
    expect(await changeRollout(unwritable, id, () => ok(event))).toEqual(failed(full));
    const unreadable = { ...store, read: async () => failed(full) };
    expect(await changeRollout(unreadable, id, () => ok(event))).toEqual(failed(full));
    expect(store.logs.get(id)?.revision).toBe(1);
  });

  it("can't be read once it is removed, or while the state can't be read", async () => {
    const { store, record } = await recorded();
    store.logs.clear();
    const gone = { ok: false, problems: [{ code: 'usage' }] };
    expect(await record.refresh()).toMatchObject(gone);
    expect(await record.note(givenEvents(['account-started', 'c']))).toMatchObject(gone);
    store.read = async () => failed(full);
    const unread = { ok: false, problems: [{ message: 'the disk is full' }] };
    expect(await record.refresh()).toMatchObject(unread);
    expect(await record.claim(givenEvents(['account-started', 'c']))).toMatchObject(unread);
  });
  it('matches the state after each event', () => {
    const origin = twelve.origin;
    const state = (...events: readonly GivenEvent[]) => rolloutAfter(twelve, givenEvents(...events)).state;
    expect(state()).toBe('draft');
    expect(state(['begun'])).toBe('running');
    expect(state(['begun'], ['aborted', undefined, { origin }])).toBe('aborted');
    expect(state(['begun'], ['completed'], ['undo-started', undefined, { origin }])).toBe('undoing');
    expect(state(['begun'], ['undo-started', undefined, { origin }], ['undo-ended'])).toBe('undone');
    const stop = { reason: 'signal', why: 'w' };
    const stopped = rolloutAfter(twelve, givenEvents(['begun'], ['stopped', undefined, stop]));
    expect(stopped).toMatchObject({ state: 'stopped', stop: { kind: 'signal', why: 'w' } });
    const maxFailed = { kind: 'count', count: 7 };
    const continued = rolloutAfter(
      twelve,
      givenEvents(
        ['begun'],
        ['account-ended', 'c', { status: 'failed', exit_code: 5 }],
        ['stopped', undefined, stop],
        ['continued', undefined, { origin, max_failed: maxFailed }],
      ),
    );
    expect(continued).toMatchObject({ state: 'running', stop: null, maxFailed });
    expect(continued.accounts.get('c')?.status).toBe('pending');
  });
});

describe('undoing a rollout', () => {
  async function undoing({ stop = never, lost = never, parallel = 2, refused = '' } = {}) {
    const memory = memoryRollouts();
    const head = { ...structuredClone(twelve), parallel };
    await begun(head, memory);
    const log = memory.logs.get(head.rollout_id);
    if (log === undefined) throw new Error('no rollout');
    const store: RolloutStore = {
      ...memory,
      async append(...entry) {
        await new Promise((resolve) => void setImmediate(resolve));
        return entry[2][0]?.type === refused ? failed(full) : memory.append(...entry);
      },
    };
    const record = keepRecord(store, log);
    const undone: string[] = [];
    const events: AccountUndone[] = [];
    const undo = (endOf: (name: string) => AccountEnd | null) =>
      undoRollout({
        record,
        lease: { lost },
        clock,
        stop,
        onEvent: (event) => void events.push(event),
        undo: async ({ name }) => {
          undone.push(name);
          await Promise.resolve();
          return endOf(name);
        },
      });
    return { undo, undone, events, record, memory };
  }
  const backwards = twelve.waves.flatMap(({ accounts }) => accounts).toReversed();

  it('undoes the waves from the last to the first, and continues after a failed account', async () => {
    const { undo, undone, record, events } = await undoing();
    expect(await undo((name) => (name.startsWith('x') ? null : ended(name === 'w7' ? 5 : 0)))).toEqual(
      ok(true),
    );
    expect(undone).toEqual(backwards);
    expect(statuses(record.current())).toMatchObject({
      x1: 'pending',
      w8: 'undone',
      w7: 'undo-failed',
      c: 'undone',
    });
    expect(record.current().accounts.get('w7')).toMatchObject({ exitCode: 5, runId: 'r1' });
    expect(events).toHaveLength(10);
    expect(events[0]).toMatchObject({ account: 'w9', status: 'undone', exit_code: 0, run_id: 'r1' });
    undone.length = 0;
    expect(await undo(() => ended(0))).toEqual(ok(true));
    expect(undone).toEqual(['x2', 'x1', 'w7']);
    expect(record.current().state).toBe('undone');
  });

  it('finishes a wave before it undoes the previous one', async () => {
    const { undo, undone, record } = await undoing({ parallel: 3 });
    const late: string[] = [];
    await undo((name) => {
      if (name === 'w5')
        late.push(...undone.filter((each) => record.current().accounts.get(each)?.status === 'undone'));
      return ended(0);
    });
    expect(late).toEqual(backwards.slice(0, 6));
  });

  it('keeps an account that was interrupted for later', async () => {
    const { undo, record, events } = await undoing();
    expect(await undo((name) => ended(name === 'w9' ? 130 : 0))).toEqual(ok(true));
    expect(statuses(record.current())).toMatchObject({ w9: 'pending', w8: 'undone' });
    expect(events.map(({ account }) => account)).not.toContain('w9');
  });

  it('counts an account outside its window as failed', async () => {
    const { undo, record, memory } = await undoing();
    await undo((name) => (name === 'w9' ? closed('opens at 22:00') : ended(0)));
    expect(record.current().accounts.get('w9')).toMatchObject({
      status: 'undo-failed',
      why: 'opens at 22:00',
    });
    const written = memory.logs
      .get(twelve.rollout_id)
      ?.events.find((event) => 'exit_code' in event && event.exit_code !== 0);
    expect(written).toMatchObject({ type: 'account-undone', account: 'w9', status: 'failed', exit_code: 6 });
  });

  it.each(['stop', 'lost'] as const)('starts no other account after the signal "%s"', async (which) => {
    const halt = new AbortController();
    const { undo, undone, record } = await undoing({ [which]: halt.signal, parallel: 1 });
    const result = await undo((name) => {
      if (name === 'x1') halt.abort();
      return ended(0);
    });
    expect(result).toEqual(ok(false));
    expect(undone).toEqual(['x2', 'x1']);
    expect(statuses(record.current())).toMatchObject({ x1: 'undone', w9: 'pending' });
    expect(record.current().state).toBe('running');
  });

  it.each([
    ['account-undone', 2],
    ['undo-ended', 12],
  ])('ends if the event "%s" can\'t be written', async (refused, count) => {
    const { undo, undone, events } = await undoing({ refused });
    expect(await undo(() => ended(0))).toMatchObject({
      ok: false,
      problems: [{ message: 'the disk is full' }],
    });
    expect(undone).toHaveLength(count);
    expect(events).toHaveLength(refused === 'undo-ended' ? 12 : 0);
  });
});
