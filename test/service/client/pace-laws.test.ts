import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedWindow, type Limiter, slidingWindow, tokenBucket } from '../../../bench/pacer/limiter.ts';
import { simulate } from '../../../bench/pacer/simulate.ts';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { createAdaptivePacer } from '../../../src/service/client/adaptive-pacer.ts';
import { LearnedPace, type Sending } from '../../../src/service/client/pace.ts';

/** Nothing in a pace may depend on when it began. */
const begins = 1_000_000_000;

/** Rampart's own, late in time; `hintMs` is the wait that the service requests with each refusal. */
function sender({
  pace = new LearnedPace(),
  hintMs,
}: {
  readonly pace?: LearnedPace;
  readonly hintMs?: number;
} = {}) {
  return {
    nextAt: () => pace.nextAt - begins,
    sent: (now: number) => pace.sent(begins + now, true),
    answered(sending: unknown, accepted: boolean, now: number) {
      if (accepted) pace.accepted(sending as Sending, begins + now);
      else pace.refused(sending as Sending, begins + now, hintMs);
    },
  };
}

const perSecond = (rate: number) => () => rate;

describe('a limit whose refusals request a second of silence', () => {
  const cases: readonly (readonly [string, number, () => Limiter, number])[] = [
    ['a bucket of 10 at 50 a second', 30, () => tokenBucket(10, perSecond(50)), 85],
    ['a bucket of 10 at 50 a second', 400, () => tokenBucket(10, perSecond(50)), 86],
    ['a bucket of 50 at 50 a second', 30, () => tokenBucket(50, perSecond(50)), 98],
    ['a bucket of 50 at 50 a second', 400, () => tokenBucket(50, perSecond(50)), 94],
    ['50 in each second', 30, () => fixedWindow(50, 1000), 89],
    ['50 in any second', 400, () => slidingWindow(50, 1000), 90],
    ['a bucket of 100 at 500 a second', 30, () => tokenBucket(100, perSecond(500)), 75],
    ['a bucket of 3 at 5 a second', 30, () => tokenBucket(3, perSecond(5)), 90],
  ];
  it.each(cases)('is used well, with few refusals: %s, %i ms', (_, latencyMs, limiter, least) => {
    const { use, refused } = simulate({
      calls: 5000,
      latencyMs,
      limiter: limiter(),
      sender: sender({ hintMs: 1000 }),
    });
    expect(use).toBeGreaterThanOrEqual(least);
    expect(refused).toBeLessThanOrEqual(1.5);
  });
});

describe('a limit', () => {
  it('of one call every five seconds is not mistaken for a rate', () => {
    const { sends, use } = simulate({
      calls: 200,
      latencyMs: 2000,
      limiter: slidingWindow(1, 5000),
      sender: sender(),
    });
    expect(sends).toBeLessThanOrEqual(225);
    expect(use).toBeGreaterThanOrEqual(80);
  });

  it('that falls to a tenth and rises again is used again within half a minute', () => {
    const limiter = tokenBucket(10, (now) => (now >= 20_000 && now < 30_000 ? 5 : 50));
    const pace = new LearnedPace();
    const times: number[] = [];
    const counting: Limiter = {
      ...limiter,
      take(now) {
        const taken = limiter.take(now);
        if (taken) times.push(now);
        return taken;
      },
    };
    simulate({ calls: 4000, latencyMs: 100, limiter: counting, sender: sender({ pace }) });
    const inTheMinuteAfter = times.filter((at) => at >= 60_000 && at < 70_000).length;
    expect(inTheMinuteAfter).toBeGreaterThan(450);
  });
});

it.each([
  [20, 20_000],
  [20, 90_000],
  [1000, 90_000],
])(
  'a service that accepts nothing for a while after %i calls, for %i ms: gets few probes, and is soon used again',
  (before, forMs) => {
    const pace = new LearnedPace();
    let now = begins;
    const sends: number[] = [];
    const call = (isTaken: (at: number) => boolean) => {
      now = Math.max(now, pace.nextAt);
      sends.push(now);
      const sending = pace.sent(now, true);
      const taken = isTaken(now);
      now += 10;
      if (taken) pace.accepted(sending, now);
      else pace.refused(sending, now);
      return taken;
    };
    for (let calls = 0; calls < before; calls += 1) call(() => true);
    const [dryFrom, dryUntil] = [now, now + forMs];
    while (!call((at) => at >= dryUntil));
    const probes = sends.filter((at) => at >= dryFrom);
    const share = Math.max(3000, (forMs * 50) / before);
    for (let index = 1; index < probes.length; index += 1) {
      expect((probes[index] as number) - (probes[index - 1] as number)).toBeLessThanOrEqual(share + 20);
    }
    expect(probes.length).toBeLessThanOrEqual(12 + forMs / 3000);
    expect(now - dryUntil).toBeLessThanOrEqual(share + 20);
  },
);

describe('a service that refuses nothing', () => {
  /** Answers one call each `gapMs`, none before it has taken `tripMs`: what came of each second. */
  function used(seconds: number, gapMs: number, tripMs: (now: number) => number) {
    const pace = new LearnedPace();
    const underWay: { readonly sending: Sending; readonly endsAt: number }[] = [];
    const answered = Array.from({ length: seconds }, () => 0);
    let freeAt = 0;
    let most = 0;
    for (let now = 0; now < seconds * 1000; ) {
      const [oldest] = underWay;
      const sendAt = Math.max(now, pace.nextAt - begins);
      if (oldest === undefined || sendAt < oldest.endsAt) {
        now = sendAt;
        freeAt = Math.max(freeAt, now + tripMs(now)) + gapMs;
        underWay.push({ sending: pace.sent(begins + now, true), endsAt: freeAt });
        most = Math.max(most, underWay.length);
      } else {
        now = oldest.endsAt;
        underWay.shift();
        pace.accepted(oldest.sending, begins + now);
        answered[Math.floor(now / 1000)] = (answered[Math.floor(now / 1000)] ?? 0) + 1;
      }
    }
    return { answered: answered.slice(0, seconds), most };
  }

  it('is used at the same rate when its responses take longer', () => {
    const { answered } = used(40, 4, (now) => (now < 8000 ? 10 : 300));
    expect(Math.min(...answered.slice(4, 8))).toBeGreaterThan(230);
    expect(Math.min(...answered.slice(12))).toBeGreaterThan(150);
  });

  it('is never left idle because its responses take slightly longer', () => {
    const { answered } = used(40, 4, (now) => (now < 8000 ? 10 : 18));
    expect(Math.min(...answered.slice(4))).toBeGreaterThan(200);
  });

  it('does not get more calls in flight while it works at full capacity, for any length of time', () => {
    const { answered, most } = used(60, 5, () => 20);
    expect(Math.min(...answered.slice(4))).toBeGreaterThan(180);
    expect(most).toBeLessThan(250);
  });
});

describe('a pacer, for any behavior of its callers', () => {
  const anyCall = fc.record({
    asksAt: fc.integer({ min: 0, max: 4000 }),
    takes: fc.integer({ min: 0, max: 700 }),
    end: fc.constantFrom('accepted', 'accepted', 'accepted', 'refused', 'asked to wait', 'dropped'),
    waitMs: fc.integer({ min: 1, max: 3000 }),
  });

  it('sends no call before a requested wait is over', () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyCall, { maxLength: 30 }), async (calls) => {
        const clock = createVirtualClock(begins);
        const pacer = createAdaptivePacer({ clock });
        let closedUntil = 0;
        const all = calls.map(async ({ asksAt, takes, end, waitMs }) => {
          await clock.sleep(asksAt);
          const turn = await pacer.acquire();
          if (turn.kind !== 'go') throw new Error(turn.kind);
          expect(clock.now()).toBeGreaterThanOrEqual(closedUntil);
          await clock.sleep(takes);
          if (end === 'accepted') turn.permit.accepted();
          else if (end === 'dropped') turn.permit.dropped();
          else {
            if (end === 'asked to wait') closedUntil = Math.max(closedUntil, clock.now() + waitMs);
            turn.permit.refused(end === 'asked to wait' ? waitMs : undefined);
          }
        });
        await clock.runUntilIdle();
        await Promise.all(all);
      }),
      { numRuns: 60 },
    ));

  it('never sends more calls in any time than the ceiling allows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 100 }),
        fc.array(anyCall, { minLength: 5, maxLength: 40 }),
        async (ceiling, initialRate, calls) => {
          const clock = createVirtualClock(begins);
          const pacer = createAdaptivePacer({ clock, ceiling, initialRate });
          const sentAt: number[] = [];
          const all = calls.map(async ({ asksAt, takes, end }) => {
            await clock.sleep(asksAt / 4);
            const turn = await pacer.acquire();
            if (turn.kind !== 'go') throw new Error(turn.kind);
            sentAt.push(clock.now());
            await clock.sleep(takes / 4);
            if (end === 'dropped') turn.permit.dropped();
            else if (end === 'refused') turn.permit.refused();
            else turn.permit.accepted();
          });
          await clock.runUntilIdle();
          await Promise.all(all);
          for (const [first, from] of sentAt.entries()) {
            for (let last = first + 1; last < sentAt.length; last += 1) {
              // A timer is late by up to a millisecond, which the next call may make up for.
              const allowed = 1 + ((sentAt[last] as number) - from + 2) * (ceiling / 1000);
              expect(last - first + 1).toBeLessThanOrEqual(allowed + 1e-9);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
