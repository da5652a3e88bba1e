import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepRecord } from '../../../src/control/waves/rollout-record-keeper.ts';
import { type AccountEnd, type RolloutProgress, runRollout } from '../../../src/control/waves/run-rollout.ts';
import { undoRollout } from '../../../src/control/waves/undo-rollout.ts';
import { failed, ok } from '../../../src/core/problem/result.ts';
import { leaseLost } from '../../../src/run/state/lease/hold-lease.ts';
import { rolloutOf } from '../../../src/run/state/rollout/rollout.ts';
import type { RolloutHead } from '../../../src/run/state/rollout/rollout-record.ts';
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
const ended = (exitCode: number): AccountEnd => ({ kind: 'ended', exitCode, runId: 'r1' });
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
}

async function begun(head: RolloutHead, store: RolloutStore) {
  await store.create(head);
  await store.append(head.rollout_id, 0, givenEvents(['begun']));
}

async function run({
  head = twelve,
  store = memoryRollouts(),
  apply = () => ended(0),
  stop,
  lost,
}: Given = {}) {
  if ((await store.list()).ok) {
    const known = await store.read(head.rollout_id);
    if (known.ok && known.value === null) await begun(head, store);
  }
  const log = await store.read(head.rollout_id);
  if (!log.ok || log.value === null) throw new Error('no roll-out');
  const applied: string[] = [];
  const events: RolloutProgress[] = [];
  const result = await runRollout({
    record: keepRecord(store, log.value),
    lease: { lost: lost ?? never },
    clock,
    stop: stop ?? never,
    apply: async (account, halt) => {
      applied.push(account.name);
      await Promise.resolve();
      return apply(account.name, halt);
    },
    onEvent: (event) => events.push(event),
  });
  const after = await store.read(head.rollout_id);
  if (!after.ok || after.value === null) throw new Error('no roll-out');
  return { result, applied, events, store, stored: rolloutOf(after.value) };
}

const statuses = ({ accounts }: { accounts: ReadonlyMap<string, { status: string }> }) =>
  Object.fromEntries([...accounts].map(([name, { status }]) => [name, status]));

describe('a roll-out', () => {
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
  it('stops at exit code 8, lets running accounts finish, and can be resumed', async () => {
    const head = { ...twelve, max_failed: { kind: 'share', percent: 100 } as const };
    const first = await run({ head, apply: (name) => ended(name === 'w1' ? 8 : 0) });
    expect(first.applied).toEqual(['c', 'w1', 'w2']);
    expect(first.stored).toMatchObject({ state: 'stopped', stop: { kind: 'unverified', account: 'w1' } });
    await first.store.append(
      head.rollout_id,
      first.stored.revision,
      givenEvents(['resumed', undefined, { origin: head.origin }]),
    );
    const second = await run({ head, store: first.store });
    expect(second.applied).toEqual(['w1', ...twelve.waves.flatMap(({ accounts }) => accounts).slice(3)]);
    expect(second.stored.state).toBe('completed');
  });
  it('stops at a closed window, and keeps the account for later', async () => {
    const why = 'opens at 22:00';
    const { result, stored } = await run({
      apply: (name) => (name === 'w2' ? { kind: 'closed-window', why } : ended(0)),
    });
    expect(result.stop).toMatchObject({ kind: 'closed-window', account: 'w2', why });
    expect(stored.accounts.get('w2')).toMatchObject({ status: 'pending', exitCode: 6, why });
  });
  it('stops at a signal, and keeps interrupted accounts for later', async () => {
    const stop = new AbortController();
    const { result, stored, applied } = await run({
      stop: stop.signal,
      apply: (name, halt) => {
        if (name === 'w1') stop.abort();
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
  it('applies an account again that a dead process was applying, and none that was done', async () => {
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
    const { applied } = await run({ store });
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
});

describe('two machines with one roll-out', () => {
  it('never apply an account at the same time, and none that is done, whenever the lock passes', async () => {
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
          if (!log.ok || log.value === null) throw new Error('no roll-out');
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
          memory.logs.get(twelve.rollout_id)?.events.filter(({ type }) => type === 'account-started')
            .length ?? 0;
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
});

function rolloutAfterDone(memory: ReturnType<typeof memoryRollouts>, name: string): boolean {
  const log = memory.logs.get(twelve.rollout_id);
  const before =
    log?.events.filter((event) => event.type === 'account-ended' && event.account === name) ?? [];
  return before.length > 0;
}

describe('the record of a roll-out', () => {
  it('goes on after entries of others when it notes, and not when it claims', async () => {
    const store = memoryRollouts();
    await begun(twelve, store);
    const log = store.logs.get(twelve.rollout_id);
    if (log === undefined) throw new Error('no roll-out');
    const record = keepRecord(store, log);
    await store.append(twelve.rollout_id, 1, givenEvents(['account-started', 'c']));
    expect(await record.claim(givenEvents(['account-started', 'w1']))).toEqual(ok(false));
    expect(record.current().accounts.get('c')?.status).toBe('running');
    await store.append(twelve.rollout_id, 2, givenEvents(['account-started', 'w2']));
    expect((await record.note(givenEvents(['account-started', 'w3']))).ok).toBe(true);
    expect(record.current().revision).toBe(4);
    expect(statuses(record.current())).toMatchObject({ w1: 'pending', w2: 'running', w3: 'running' });
  });
  it('adds up to the state after each event', () => {
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
    const resumed = rolloutAfter(
      twelve,
      givenEvents(
        ['begun'],
        ['account-ended', 'c', { status: 'failed', exit_code: 5 }],
        ['stopped', undefined, stop],
        ['resumed', undefined, { origin, max_failed: maxFailed }],
      ),
    );
    expect(resumed).toMatchObject({ state: 'running', stop: null, maxFailed });
    expect(resumed.accounts.get('c')?.status).toBe('pending');
  });
});

describe('undoing a roll-out', () => {
  it('takes the waves back from the last to the first, and goes on after a failed account', async () => {
    const store = memoryRollouts();
    await begun(twelve, store);
    const log = store.logs.get(twelve.rollout_id);
    if (log === undefined) throw new Error('no roll-out');
    const record = keepRecord(store, log);
    const undone: string[] = [];
    const undo = (fails: string) =>
      undoRollout({
        record,
        lease: { lost: never },
        clock,
        stop: never,
        onEvent: () => {},
        undo: async ({ name }) => {
          if (name.startsWith('x')) return null;
          undone.push(name);
          return ended(name === fails ? 5 : 0);
        },
      });
    expect(await undo('w7')).toEqual(ok(true));
    expect(undone).toEqual(['w9', 'w8', 'w7', 'w6', 'w5', 'w4', 'w3', 'w2', 'w1', 'c']);
    expect(record.current().accounts.get('w7')?.status).toBe('undo-failed');
    undone.length = 0;
    await undo('');
    expect(undone).toEqual(['w7']);
    expect(record.current().state).toBe('undone');
  });
});
