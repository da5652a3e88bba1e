import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRollout } from '../../../src/accounts/rollouts/decide-rollout.ts';
import type { Limit } from '../../../src/core/model/policy.ts';
import type { Rollout, RolloutAccount, RolloutStop } from '../../../src/run/state/rollout/rollout.ts';
import type { RolloutHead } from '../../../src/run/state/rollout/rollout-record.ts';
import { type GivenEvent, givenEvents, givenRollout, rolloutAfter } from '../../given/rollouts.ts';

type Progress = 'pending' | 'running' | 'done' | 'failed' | 'unverified';

const waves = { canary: ['c'], '50%': ['a', 'b'], '100%': ['d', 'e'] };

/** A running rollout whose accounts have this progress. */
function rolloutWith(head: RolloutHead, progressOf: (account: string) => Progress): Rollout {
  const rollout = rolloutAfter(head, givenEvents(['begun']));
  const accounts = [...rollout.accounts.values()].map((each): [string, RolloutAccount] => {
    const progress = each.wave === null ? 'failed' : progressOf(each.name);
    const [status, exitCode] = progress === 'unverified' ? (['failed', 8] as const) : [progress, 5];
    return [each.name, { ...each, status, exitCode }];
  });
  return { ...rollout, accounts: new Map(accounts) };
}

interface Parts {
  readonly head?: Partial<RolloutHead>;
  readonly maxFailed?: Limit;
  readonly outside?: RolloutStop;
  readonly lastEndAt?: number;
  readonly failedBefore?: number;
  readonly events?: readonly GivenEvent[];
}

function move(states: Readonly<Record<string, Progress>>, parts: Parts = {}) {
  const { maxFailed = { kind: 'count', count: 1 }, failedBefore = 0, outside, lastEndAt } = parts;
  const left_out = Array.from({ length: failedBefore }, (_, at) => ({
    account: `left-${at}`,
    status: 'failed' as const,
    exit_code: 5,
    why: 'not planned',
  }));
  const head = givenRollout(waves, { max_failed: maxFailed, left_out, ...parts.head });
  const rollout = rolloutWith(head, (name) => states[name] ?? 'pending');
  const ended = rolloutAfter(head, givenEvents(['begun'], ...(parts.events ?? [])));
  const next = decideRollout(
    {
      ...rollout,
      state: ended.state,
      stop: ended.stop,
      lastEndAt: lastEndAt === undefined ? null : new Date(lastEndAt).toISOString(),
    },
    { isRunning: ({ status }) => status === 'running', outside, now: 10_000 },
  );
  return next.kind === 'start' ? { ...next, account: next.account.name } : next;
}

describe('the next move of a rollout', () => {
  it('starts the accounts of a wave up to the parallelism, then waits', () => {
    expect(move({})).toEqual({ kind: 'start', account: 'c', wave: 0 });
    expect(move({ c: 'running' })).toEqual({ kind: 'wait' });
    expect(move({ c: 'done' })).toEqual({ kind: 'start', account: 'a', wave: 1 });
    expect(move({ c: 'done', a: 'running' })).toEqual({ kind: 'start', account: 'b', wave: 1 });
    expect(move({ c: 'done', a: 'running' }, { head: { parallel: 1 } })).toEqual({ kind: 'wait' });
  });
  it('waits for the whole wave before the next', () => {
    expect(move({ c: 'done', a: 'done', b: 'running' })).toEqual({ kind: 'wait' });
    expect(move({ c: 'done', a: 'done', b: 'done' })).toMatchObject({ account: 'd' });
  });
  it('ends after the last account', () =>
    expect(move({ c: 'done', a: 'done', b: 'failed', d: 'done', e: 'done' })).toEqual({ kind: 'end' }));
  it('stops if more accounts fail than are allowed, including those that could not be planned', () => {
    expect(move({ c: 'done', a: 'failed' })).toMatchObject({ kind: 'start', account: 'b' });
    const stop = { kind: 'failed-accounts', why: '2 accounts failed, and 1 may fail' };
    expect(move({ c: 'done', a: 'failed', b: 'failed' })).toEqual({ kind: 'stop', stop });
    expect(move({ c: 'done', a: 'failed' }, { failedBefore: 1 })).toEqual({ kind: 'stop', stop });
  });
  it('stops at one failed canary', () => {
    expect(move({ c: 'failed' })).toMatchObject({
      kind: 'stop',
      stop: { kind: 'failed-canary', account: 'c' },
    });
  });
  it('stops at one account that is not verified, however many may fail', () => {
    expect(
      move({ c: 'done', a: 'unverified' }, { maxFailed: { kind: 'share', percent: 100 } }),
    ).toMatchObject({ kind: 'stop', stop: { kind: 'unverified', account: 'a' } });
  });
  it('reports a reason from outside before all other reasons', () => {
    const stop = { kind: 'signal', why: 'interrupted' } as const;
    expect(move({ c: 'failed' }, { outside: stop })).toEqual({ kind: 'stop', stop });
  });
  it('pauses between waves, for the rest of the time', () => {
    const head = { pause_ms: 1000 };
    expect(move({}, { head, lastEndAt: 9_600 })).toMatchObject({ kind: 'start' });
    expect(move({ c: 'done' }, { head, lastEndAt: 9_600 })).toEqual({ kind: 'pause', ms: 600, wave: 1 });
    expect(move({ c: 'done', a: 'done' }, { head, lastEndAt: 9_600 })).toMatchObject({ account: 'b' });
    expect(move({ c: 'done' }, { head, lastEndAt: 9_000 })).toMatchObject({ kind: 'start' });
    const ahead = { kind: 'pause', ms: 1_000, wave: 1 };
    expect(move({ c: 'done' }, { head, lastEndAt: 99_000 })).toEqual(ahead);
    expect(move({ c: 'done' }, { lastEndAt: 99_000 })).toMatchObject({ kind: 'start' });
    expect(move({ c: 'done' }, { head })).toMatchObject({ kind: 'start' });
  });
  it.each([
    ['aborted', { origin: {} }, { kind: 'aborted', why: 'it was aborted' }],
    ['stopped', { reason: 'signal', why: 'ada stopped it' }, { kind: 'signal', why: 'ada stopped it' }],
    ['completed', {}, null],
  ])('starts nothing after another process has recorded that it is %s', (type, rest, stop) => {
    const outside = { kind: 'lost-lock', why: 'lost' } as const;
    expect(move({ a: 'running' }, { events: [[type, undefined, rest]], outside })).toEqual({
      kind: 'over',
      stop,
    });
  });
  it.each([
    [{ kind: 'share', percent: 2 } as const, 1000, 20],
    [{ kind: 'share', percent: 2 } as const, 10, 0],
    [{ kind: 'share', percent: 0.1 } as const, 1000, 1],
    [{ kind: 'share', percent: 100 } as const, 7, 7],
    [{ kind: 'count', count: 3 } as const, 1000, 3],
  ])('with the limit %j of %i accounts allows %i failures', (maxFailed, total, allowed) => {
    const after = (failedBefore: number) => {
      const planned = Array.from({ length: total - failedBefore }, (_, at) => `p${at}`);
      const { waves: whole, accounts } = givenRollout({ '100%': planned });
      return move({}, { maxFailed, failedBefore, head: { waves: whole, accounts } }).kind;
    };
    expect(after(allowed)).toBe(allowed === total ? 'end' : 'start');
    if (allowed < total) expect(after(allowed + 1)).toBe('stop');
  });

  const ends = fc.constantFrom<Progress>('done', 'done', 'done', 'failed', 'unverified');
  const scenario = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
    ends: fc.infiniteStream(ends),
    order: fc.infiniteStream(fc.nat()),
    maxFailed: fc.integer({ min: 0, max: 4 }),
    parallel: fc.integer({ min: 1, max: 4 }),
    stopAfter: fc.integer({ min: 0, max: 30 }),
  });
  it('starts every account at most once, wave by wave, and none after a stop', () =>
    fc.assert(
      fc.property(scenario, ({ sizes, ends: how, order, maxFailed, parallel, stopAfter }) => {
        const given = sizes.map((size, at) => Array.from({ length: size }, (_, index) => `${at}-${index}`));
        const head = givenRollout(
          Object.fromEntries(given.map((names, at) => [at === 0 ? 'canary' : `wave ${at}`, names])),
          { max_failed: { kind: 'count', count: maxFailed }, parallel },
        );
        const states = new Map<string, Progress>();
        const progressOf = (name: string) => states.get(name) ?? 'pending';
        const total = given.flat().length;
        let starts = 0;
        let stopped = false;
        for (let turn = 0; turn < 500; turn += 1) {
          const next = decideRollout(rolloutWith(head, progressOf), {
            isRunning: ({ status }) => status === 'running',
            outside: starts >= stopAfter ? { kind: 'signal', why: '' } : undefined,
            now: 0,
          });
          const running = [...states].filter(([, state]) => state === 'running').map(([name]) => name);
          if (next.kind === 'start') {
            expect(stopped).toBe(false);
            expect(progressOf(next.account.name)).toBe('pending');
            expect(running.length).toBeLessThan(parallel);
            const earlier = given.slice(0, next.wave).flat();
            expect(earlier.every((name) => ['done', 'failed'].includes(progressOf(name)))).toBe(true);
            const bad = [...states.values()].filter((state) => state === 'failed').length;
            expect(bad).toBeLessThanOrEqual(maxFailed);
            expect([...states.values()]).not.toContain('unverified');
            states.set(next.account.name, 'running');
            starts += 1;
            continue;
          }
          if (next.kind === 'stop') stopped = true;
          if (running.length === 0) {
            expect(next.kind).not.toBe('wait');
            if (next.kind === 'end') expect(starts).toBe(total);
            return;
          }
          const ended = running[(order.next().value ?? 0) % running.length] ?? '';
          states.set(ended, how.next().value ?? 'done');
        }
        throw new Error('the rollout did not end');
      }),
    ));
});
