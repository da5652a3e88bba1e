import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adaptive } from '../../../bench/pacer/adaptive.ts';
import { fixedWindow, type Limiter, slidingWindow, tokenBucket } from '../../../bench/pacer/limiter.ts';
import { type Sender, simulate } from '../../../bench/pacer/simulate.ts';
import { LearnedPace, type Sending } from '../../../src/service/client/pace.ts';

const latenciesMs = [30, 100, 400, 1000];
const fifty = () => 50;

describe('10,000 calls under a limit of 50 a second', () => {
  const limits: readonly (readonly [string, () => Limiter])[] = [
    ['a bucket with a burst of 10', () => tokenBucket(10, fifty)],
    ['a bucket with a burst of 50', () => tokenBucket(50, fifty)],
    ['50 in each second', () => fixedWindow(50, 1000)],
    ['50 in any second', () => slidingWindow(50, 1000)],
  ];
  const cases = limits.flatMap(([name, limiter]) => latenciesMs.map((ms) => [name, ms, limiter] as const));

  it.each(cases)('use 95 %% of it with 1 %% refused: %s, %i ms', (_, latencyMs, limiter) => {
    const { use, refused } = simulate({ calls: 10_000, latencyMs, limiter: limiter(), sender: adaptive() });
    expect(use).toBeGreaterThanOrEqual(95);
    expect(refused).toBeLessThanOrEqual(1);
  });
});

describe('other limits', () => {
  it.each(latenciesMs)('follows a limit that falls from 50 to 20 and rises again, at %i ms', (latencyMs) => {
    const limiter = tokenBucket(10, (now) => (now >= 60_000 && now < 120_000 ? 20 : 50));
    const { use, refused } = simulate({ calls: 10_000, latencyMs, limiter, sender: adaptive() });
    expect(use).toBeGreaterThanOrEqual(88);
    expect(refused).toBeLessThanOrEqual(1.5);
  });

  it.each(latenciesMs)('uses 3,000 calls a minute with no refusal at its end, at %i ms', (latencyMs) => {
    const { use, refused } = simulate({
      calls: 10_000,
      latencyMs,
      limiter: fixedWindow(3000, 60_000),
      sender: adaptive(),
    });
    expect(use).toBeGreaterThanOrEqual(100);
    expect(refused).toBeLessThanOrEqual(3);
  });

  it.each(latenciesMs)('learns one call a minute from refusals alone, at %i ms', (latencyMs) => {
    const { use, sends } = simulate({
      calls: 60,
      latencyMs,
      limiter: slidingWindow(1, 60_000),
      sender: adaptive(),
    });
    expect(use).toBeGreaterThanOrEqual(93);
    expect(sends).toBeLessThanOrEqual(90);
  });

  it('changes one call a minute to one call every two minutes when the service slows down', () => {
    let taken = Number.NEGATIVE_INFINITY;
    const limiter: Limiter = {
      take(now) {
        if (now - taken < (now < 1_200_000 ? 60_000 : 120_000)) return false;
        taken = now;
        return true;
      },
      granted: (now) => now / 60_000,
    };
    const { seconds, sends } = simulate({ calls: 40, latencyMs: 100, limiter, sender: adaptive() });
    expect(seconds).toBeLessThan((20 * 60 + 20 * 120) * 1.15);
    expect(sends).toBeLessThanOrEqual(75);
  });

  it('forgets a quota that no longer applies', () => {
    const spell = fixedWindow(100, 60_000);
    const limiter: Limiter = { take: (now) => now > 300_000 || spell.take(now), granted: () => 1 };
    const { seconds } = simulate({ calls: 5000, latencyMs: 100, limiter, sender: adaptive() });
    expect(seconds).toBeLessThan(450);
  });
});

describe('any limit, at any latency', () => {
  const anyLimiter = fc
    .record({
      kind: fc.constantFrom('bucket', 'fixed', 'sliding'),
      perSecond: fc.integer({ min: 1, max: 1000 }),
    })
    .map(({ kind, perSecond }): readonly [string, number, () => Limiter] => {
      if (kind === 'bucket')
        return [kind, perSecond, () => tokenBucket(Math.max(1, perSecond / 5), () => perSecond)];
      const window = kind === 'fixed' ? fixedWindow : slidingWindow;
      return [kind, perSecond, () => window(perSecond, 1000)];
    });

  it('leads neither to idle time nor to bursts of calls', () =>
    fc.assert(
      fc.property(anyLimiter, fc.integer({ min: 1, max: 1000 }), ([, perSecond, limiter], latencyMs) => {
        const calls = 100 * perSecond;
        const { use, refused } = simulate({ calls, latencyMs, limiter: limiter(), sender: adaptive() });
        expect(use).toBeGreaterThan(55);
        expect(refused).toBeLessThan(20);
      }),
      { numRuns: 20 },
    ));

  it('calls are spaced by the current rate, and few are in flight', () =>
    fc.assert(
      fc.property(anyLimiter, fc.integer({ min: 5, max: 1000 }), ([, , limiter], latencyMs) => {
        const pace = new LearnedPace();
        let last = Number.NEGATIVE_INFINITY;
        let inFlight = 0;
        const sender: Sender = {
          nextAt: () => pace.nextAt,
          sent(now) {
            expect(now - last).toBeGreaterThanOrEqual(1000 / pace.rate - 1.000001);
            last = now;
            inFlight += 1;
            expect(inFlight).toBeLessThanOrEqual(Math.max(16, (3 * pace.rate * latencyMs) / 1000 + 1));
            return pace.sent(now, true);
          },
          answered(sending, accepted, now) {
            inFlight -= 1;
            if (accepted) pace.accepted(sending as Sending, now);
            else pace.refused(sending as Sending, now);
          },
        };
        simulate({ calls: 1000, latencyMs, limiter: limiter(), sender });
      }),
      { numRuns: 20 },
    ));
});

it.each([
  [1, 20_000, 3],
  [30, 20_000, 6],
  [1000, 2000, 30],
])('without a limit no call waits long: at %i ms, %i take at most %i s', (latencyMs, calls, seconds) => {
  const unlimited: Limiter = { take: () => true, granted: () => calls };
  const outcome = simulate({ calls, latencyMs, limiter: unlimited, sender: adaptive() });
  expect(outcome.seconds).toBeLessThanOrEqual(seconds);
  expect(outcome.refused).toBe(0);
});
