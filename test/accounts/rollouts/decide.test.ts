import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountProgress,
  nextMove,
  type Outside,
  type WaveLimits,
} from '../../../src/accounts/rollouts/decide.ts';
import type { Wave } from '../../../src/accounts/rollouts/split-waves.ts';

const waves: readonly Wave[] = [
  { name: 'canary', isCanary: true, accounts: ['c'] },
  { name: '50%', isCanary: false, accounts: ['a', 'b'] },
  { name: '100%', isCanary: false, accounts: ['d', 'e'] },
];
const limits: WaveLimits = { maxFailed: { kind: 'count', count: 1 }, parallel: 2, pauseMs: 0 };
const inside: Outside = { sinceLastEndMs: 0 };

function move(
  states: Readonly<Record<string, AccountProgress>>,
  parts: { limits?: Partial<WaveLimits>; outside?: Partial<Outside>; failedBefore?: number } = {},
) {
  return nextMove(
    {
      waves,
      progressOf: (name) => states[name] ?? 'pending',
      failedBefore: parts.failedBefore ?? 0,
      total: 5 + (parts.failedBefore ?? 0),
    },
    { ...limits, ...parts.limits },
    { ...inside, ...parts.outside },
  );
}

describe('the next move of a rollout', () => {
  it('starts the accounts of a wave up to the parallelism, then waits', () => {
    expect(move({})).toEqual({ kind: 'start', account: 'c', wave: 0 });
    expect(move({ c: 'running' })).toEqual({ kind: 'wait' });
    expect(move({ c: 'done' })).toEqual({ kind: 'start', account: 'a', wave: 1 });
    expect(move({ c: 'done', a: 'running' })).toEqual({ kind: 'start', account: 'b', wave: 1 });
    expect(move({ c: 'done', a: 'running' }, { limits: { parallel: 1 } })).toEqual({ kind: 'wait' });
  });
  it('waits for the whole wave before the next', () => {
    expect(move({ c: 'done', a: 'done', b: 'running' })).toEqual({ kind: 'wait' });
    expect(move({ c: 'done', a: 'done', b: 'done' })).toMatchObject({ account: 'd' });
  });
  it('ends after the last account', () => {
    expect(move({ c: 'done', a: 'done', b: 'failed', d: 'done', e: 'done' })).toEqual({ kind: 'end' });
  });
  it('stops at more failures than are allowed, those of planning included', () => {
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
      move({ c: 'done', a: 'unverified' }, { limits: { maxFailed: { kind: 'share', percent: 100 } } }),
    ).toMatchObject({
      kind: 'stop',
      stop: { kind: 'unverified', account: 'a' },
    });
  });
  it('stops for a reason from outside before all others', () => {
    const stop = { kind: 'signal', why: 'interrupted' } as const;
    expect(move({ c: 'failed' }, { outside: { stop } })).toEqual({ kind: 'stop', stop });
  });
  it('pauses between waves, for the rest of the time', () => {
    const paused = { limits: { pauseMs: 1000 }, outside: { sinceLastEndMs: 400 } };
    expect(move({}, paused)).toMatchObject({ kind: 'start' });
    expect(move({ c: 'done' }, paused)).toEqual({ kind: 'pause', ms: 600, wave: 1 });
    expect(move({ c: 'done', a: 'done' }, paused)).toMatchObject({ kind: 'start', account: 'b' });
    expect(move({ c: 'done' }, { ...paused, outside: { sinceLastEndMs: 1000 } })).toMatchObject({
      kind: 'start',
    });
    expect(move({ c: 'done' }, { ...paused, outside: { sinceLastEndMs: undefined } })).toMatchObject({
      kind: 'start',
    });
  });
  it.each([
    [{ kind: 'share', percent: 2 } as const, 1000, 20],
    [{ kind: 'share', percent: 2 } as const, 10, 0],
    [{ kind: 'share', percent: 0.1 } as const, 1000, 1],
    [{ kind: 'share', percent: 100 } as const, 7, 7],
    [{ kind: 'count', count: 3 } as const, 1000, 3],
  ])('with the limit %j of %i accounts allows %i failures', (maxFailed, total, allowed) => {
    const after = (failedBefore: number) =>
      nextMove({ waves, progressOf: () => 'pending', failedBefore, total }, { ...limits, maxFailed }, inside);
    expect(after(allowed).kind).toBe('start');
    expect(after(allowed + 1)).toMatchObject({ kind: 'stop', stop: { kind: 'failed-accounts' } });
  });

  const ends = fc.constantFrom<AccountProgress>('done', 'done', 'done', 'failed', 'unverified');
  const scenario = fc.record({
    sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
    ends: fc.infiniteStream(ends),
    order: fc.infiniteStream(fc.nat()),
    maxFailed: fc.integer({ min: 0, max: 4 }),
    parallel: fc.integer({ min: 1, max: 4 }),
    stopAfter: fc.integer({ min: 0, max: 30 }),
  });
  it('starts every account at most once, wave by wave, and none after a stop', () => {
    fc.assert(
      fc.property(scenario, ({ sizes, ends: how, order, maxFailed, parallel, stopAfter }) => {
        const given = sizes.map((size, at) => ({
          name: String(at),
          isCanary: at === 0,
          accounts: Array.from({ length: size }, (_, index) => `${at}-${index}`),
        }));
        const states = new Map<string, AccountProgress>();
        const progressOf = (name: string) => states.get(name) ?? 'pending';
        const total = given.flatMap(({ accounts }) => accounts).length;
        let starts = 0;
        let stopped = false;
        for (let turn = 0; turn < 500; turn += 1) {
          const next = nextMove(
            { waves: given, progressOf, failedBefore: 0, total },
            { maxFailed: { kind: 'count', count: maxFailed }, parallel, pauseMs: 0 },
            { sinceLastEndMs: 0, ...(starts >= stopAfter ? { stop: { kind: 'signal', why: '' } } : {}) },
          );
          const running = [...states].filter(([, state]) => state === 'running').map(([name]) => name);
          if (next.kind === 'start') {
            expect(stopped).toBe(false);
            expect(progressOf(next.account)).toBe('pending');
            expect(running.length).toBeLessThan(parallel);
            const earlier = given.slice(0, next.wave).flatMap(({ accounts }) => accounts);
            expect(earlier.every((name) => ['done', 'failed'].includes(progressOf(name)))).toBe(true);
            const bad = [...states.values()].filter((state) => state === 'failed').length;
            expect(bad).toBeLessThanOrEqual(maxFailed);
            expect([...states.values()]).not.toContain('unverified');
            states.set(next.account, 'running');
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
    );
  });
});
