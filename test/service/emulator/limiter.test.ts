import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLimiter, onceAMinute, type RateLimit } from '../../../src/service/emulator/limiter.ts';

const waits = (limit: RateLimit, times: readonly number[], refusedCallsCount = false): readonly number[] => {
  const limiter = createLimiter(limit);
  return times.map((now) => {
    const isFree = limiter.wait(now) === 0;
    if (isFree || refusedCallsCount) limiter.take(now);
    return isFree ? 0 : limiter.wait(now);
  });
};

describe('a limiter', () => {
  it.each<[string, RateLimit, readonly number[], readonly number[]]>([
    ['once a minute', onceAMinute, [0, 1_000, 59_999, 60_000], [0, 59_000, 1, 0]],
    [
      'a bucket',
      { kind: 'token-bucket', perSecond: 10, burst: 2 },
      [0, 0, 0, 50, 100, 200],
      [0, 0, 100, 50, 0, 0],
    ],
    [
      'a fixed window',
      { kind: 'fixed-window', windowMs: 1_000, calls: 2 },
      [900, 950, 990, 1_000],
      [0, 0, 10, 0],
    ],
    [
      'a sliding window',
      { kind: 'sliding-window', windowMs: 1_000, calls: 2 },
      [0, 600, 900, 1_000, 1_100],
      [0, 0, 100, 0, 500],
    ],
  ])('of %s lets calls through and returns the wait', (_, limit, times, expected) =>
    expect(waits(limit, times)).toEqual(expected),
  );

  it('punishes impatience if refused calls count', () => {
    expect(waits(onceAMinute, [0, 30_000, 60_000], true)).toEqual([0, 60_000, 60_000]);
    const bucket: RateLimit = { kind: 'token-bucket', perSecond: 1, burst: 1 };
    expect(waits(bucket, [0, 0, 1_000])[2]).toBe(0);
    expect(waits(bucket, [0, 0, 1_000], true)[2]).toBeGreaterThan(0);
  });

  const limits: fc.Arbitrary<RateLimit> = fc.oneof(
    fc.record({
      kind: fc.constant('token-bucket' as const),
      perSecond: fc.integer({ min: 1, max: 100 }),
      burst: fc.integer({ min: 1, max: 20 }),
    }),
    fc.record({
      kind: fc.constant('fixed-window' as const),
      windowMs: fc.integer({ min: 1, max: 5_000 }),
      calls: fc.integer({ min: 1, max: 20 }),
    }),
    fc.record({
      kind: fc.constant('sliding-window' as const),
      windowMs: fc.integer({ min: 1, max: 5_000 }),
      calls: fc.integer({ min: 1, max: 20 }),
    }),
  );

  it('lets a call through after the wait that it returned', () =>
    fc.assert(
      fc.property(limits, fc.array(fc.nat(500), { maxLength: 60 }), (limit, gaps) => {
        const limiter = createLimiter(limit);
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          now += limiter.wait(now);
          expect(limiter.wait(now)).toBe(0);
          limiter.take(now);
        }
      }),
    ));

  it.each<RateLimit>([
    onceAMinute,
    { kind: 'token-bucket', perSecond: 1, burst: 1 },
    { kind: 'fixed-window', windowMs: 1_000, calls: 1 },
  ])('of kind $kind is used up by calls, not by questions', (limit) => {
    const limiter = createLimiter(limit);
    expect([limiter.wait(0), limiter.wait(0)]).toEqual([0, 0]);
    limiter.take(0);
    expect(limiter.wait(0)).toBeGreaterThan(0);
  });

  it('of a sliding window never lets through more calls than it states', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(400), { maxLength: 80 }), (calls, gaps) => {
        const limiter = createLimiter({ kind: 'sliding-window', windowMs: 1_000, calls });
        const passed: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          if (limiter.wait(now) > 0) continue;
          limiter.take(now);
          passed.push(now);
        }
        for (const start of passed) {
          expect(passed.filter((time) => time >= start && time < start + 1_000).length).toBeLessThanOrEqual(
            calls,
          );
        }
      }),
    ));
});
