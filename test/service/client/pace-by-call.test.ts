import { describe, expect, it } from 'vitest';
import { LearnedPace, type PaceOptions } from '../../../src/service/client/pace.ts';

const never = Number.POSITIVE_INFINITY;

/** A pace whose calls are sent one after another, each with a response after `tripMs`, at its own speed. */
function given(options: PaceOptions = {}) {
  const pace = new LearnedPace(options);
  let now = 1_000_000;
  const wait = () => {
    now = Math.max(now, pace.nextAt);
  };
  const call = (answer: 'accepted' | 'refused' | 'dropped', tripMs = 100, retryAfterMs?: number) => {
    wait();
    const sending = pace.sent(now, true);
    now += tripMs;
    if (answer === 'accepted') pace.accepted(sending, now);
    else if (answer === 'refused') pace.refused(sending, now, retryAfterMs);
    else pace.dropped(sending);
    return sending;
  };
  return { pace, call, now: () => now, pass: (ms: number) => void (now += ms) };
}

describe('the start of a pace', () => {
  it('is 10 calls a second or the configured rate, up to the ceiling', () => {
    expect([new LearnedPace().rate, new LearnedPace({ initialRate: 4 }).rate]).toEqual([10, 4]);
    expect(new LearnedPace({ initialRate: 4, ceiling: 3 }).rate).toBe(3);
  });
  it('sends the first calls immediately, and the next ones at its rate', () => {
    const pace = new LearnedPace();
    expect(pace.nextAt).toBe(Number.NEGATIVE_INFINITY);
    pace.sent(1000, false);
    expect(pace.nextAt).toBe(1100);
    pace.sent(1500, true);
    expect(pace.nextAt).toBe(1599);
  });
  it('compensates for a timer that is late by at most a millisecond', () => {
    const pace = new LearnedPace();
    pace.sent(1000, false);
    pace.sent(1100.5, true);
    expect(pace.nextAt).toBe(1200);
    pace.sent(1250, false);
    expect(pace.nextAt).toBe(1350);
  });
  it('allows 16 calls in flight', () => {
    const pace = new LearnedPace();
    const sendings = Array.from({ length: 16 }, (_, index) => pace.sent(100 * index, false));
    expect(sendings.map(({ isLight }) => isLight)).toEqual(Array.from({ length: 16 }, () => true));
    expect(pace.nextAt).toBe(never);
    pace.dropped(sendings[0] as (typeof sendings)[number]);
    expect(pace.nextAt).toBe(1600);
  });
  it('grows by a factor of at most 1.7 in a round, and by at most 8 calls in a round trip', () => {
    const fast = given();
    fast.call('accepted');
    fast.call('accepted');
    expect(fast.pace.rate).toBeCloseTo(17, 6);
    const slow = given();
    slow.call('accepted', 2000);
    slow.call('accepted', 2000);
    expect(slow.pace.rate).toBeLessThanOrEqual(14);
  });
  it('does not grow if calls did not wait for it', () => {
    const pace = new LearnedPace();
    for (let now = 0; now < 5000; now += 500) pace.accepted(pace.sent(now, false), now + 10);
    expect(pace.rate).toBe(10);
  });
});

describe('the observed rate', () => {
  it('is unknown until the service accepts a call, and then the highest accepted rate', () => {
    const { pace, call } = given();
    expect(pace.seenRate).toBeNull();
    call('dropped');
    expect(pace.seenRate).toBeNull();
    call('accepted', 10);
    expect(pace.seenRate).toBe(1);
    for (let times = 0; times < 3; times += 1) call('accepted', 10);
    expect(pace.seenRate).toBeGreaterThanOrEqual(3);
    const seen = pace.seenRate;
    call('accepted', 3000);
    expect(pace.seenRate).toBe(seen);
  });
  it('is the pace itself after a cut', () => {
    const { pace, call } = given();
    for (let times = 0; times < 20; times += 1) call('accepted', 10);
    call('refused', 10);
    call('accepted', 10);
    expect(pace.seenRate).toBe(pace.rate);
  });
});

describe('a refusal', () => {
  it('cuts the rate to just below the delivered rate, once for all calls in flight', () => {
    const { pace, call, now } = given();
    for (let times = 0; times < 40; times += 1) call('accepted', 10);
    const [first, second] = [pace.sent(now(), false), pace.sent(now(), false)];
    const before = pace.rate;
    pace.refused(first, now() + 10);
    const cut = pace.rate;
    expect(cut).toBeLessThanOrEqual(0.98 * before);
    expect(cut).toBeCloseTo(0.98 * 0.3 * before, 6);
    pace.refused(second, now() + 11);
    expect(pace.rate).toBe(cut);
  });
  it('is followed by a pause of two slots, and then by single calls until the service accepts one', () => {
    const { pace, call, now } = given();
    for (let times = 0; times < 40; times += 1) call('accepted', 10);
    call('refused', 10);
    expect(pace.nextAt).toBeCloseTo(now() + 2000 / pace.rate, 6);
    const at = pace.nextAt;
    const probe = pace.sent(at, true);
    expect([pace.nextAt, probe.held]).toEqual([never, false]);
    pace.accepted(probe, at + 10);
    expect(pace.nextAt).toBeLessThan(never);
  });
  it('causes the pause that the service requests', () => {
    const { pace, call, now } = given();
    call('accepted');
    call('refused', 10, 5000);
    expect(pace.nextAt).toBe(now() + 5000);
    const other = given();
    other.call('accepted');
    other.call('refused', 10, Number.NaN);
    expect(other.pace.nextAt).toBeLessThan(other.now() + 5000);
  });
  it('of a probe doubles the pause each time', () => {
    const { pace, call, now } = given();
    call('accepted');
    call('refused', 10);
    const waits: number[] = [];
    for (let times = 0; times < 4; times += 1) {
      call('refused', 10);
      waits.push(pace.nextAt - now());
    }
    const [, second = 0, third = 0, fourth = 0] = waits;
    expect(third).toBeGreaterThanOrEqual(second);
    expect(fourth).toBeCloseTo(800, 6);
    for (let times = 0; times < 6; times += 1) call('refused', 10);
    expect(pace.nextAt - now()).toBeGreaterThanOrEqual(3000);
  });
  it('never takes the rate above the ceiling again', () => {
    const { pace, call } = given({ ceiling: 12 });
    for (let times = 0; times < 100; times += 1) call('accepted', 10);
    expect(pace.rate).toBe(12);
  });
});

it('many calls in flight do not raise the rate when the last of them succeeds', () => {
  const pace = new LearnedPace();
  const sendings = Array.from({ length: 16 }, (_, index) => pace.sent(100 * index, index > 0));
  pace.accepted(sendings[15] as (typeof sendings)[number], 1510);
  expect(pace.rate).toBe(10);
});

describe('one refusal among many successes', () => {
  it('at one call a second costs a few percent, because the last calls are counted', () => {
    const { pace, call } = given({ initialRate: 1, ceiling: 1 });
    for (let times = 0; times < 20; times += 1) call('accepted');
    call('refused');
    expect(pace.rate).toBeGreaterThan(0.85);
  });

  it('does not delay the other calls while the probe is in flight', () => {
    const { pace, call, now, pass } = given();
    for (let times = 0; times < 10; times += 1) call('accepted', 10);
    const early = pace.sent(now(), false);
    pace.refused(pace.sent(now(), false), now());
    const probe = pace.sent(pace.nextAt, true);
    expect(pace.nextAt).toBe(never);
    pass(5000);
    pace.accepted(early, now());
    expect(pace.nextAt).toBeLessThan(now());
    pace.dropped(probe);
  });
});

describe('after a cut', () => {
  /** After 5 seconds at 100 calls a second, one is refused, and then none for a while. */
  const afterCut = (delivered: 'all' | 'little') => {
    const { pace, call, pass } = given({ initialRate: 100, ceiling: 100 });
    for (let times = 0; times < 500; times += 1) call('accepted', 10);
    if (delivered === 'little') pass(5000);
    call('refused', 10);
    return { pace, call, pass };
  };

  it('calls that never wait do not raise the rate', () => {
    const { pace, now } = { ...afterCut('all'), now: 2_000_000 };
    const { rate } = pace;
    for (let at = now; at < now + 60_000; at += 1000) pace.accepted(pace.sent(at, false), at + 10);
    expect(pace.rate).toBe(rate);
  });

  it('the rate recovers from a deep cut sooner than it rises above a shallow cut', () => {
    const { pace, call } = afterCut('little');
    expect(pace.rate).toBeLessThan(40);
    for (let times = 0; times < 400; times += 1) call('accepted', 10);
    expect(pace.rate).toBeGreaterThan(80);
  });
});

describe('one call a minute', () => {
  /** The service reports the end of the minute with each refusal. */
  function oneAMinute(options: { readonly says: boolean }) {
    const { pace, ...time } = given();
    let takenAt = Number.NEGATIVE_INFINITY;
    /** Calls as often as the pace lets it until one is taken. */
    function call(): number {
      for (;;) {
        time.pass(Math.max(0, pace.nextAt - time.now()));
        const at = time.now();
        const sending = pace.sent(at, true);
        time.pass(10);
        if (at - takenAt >= 60_000) {
          takenAt = at;
          pace.accepted(sending, time.now());
          return at;
        }
        pace.refused(sending, time.now(), options.says ? takenAt + 60_000 - time.now() : undefined);
      }
    }
    return { ...time, pace, call };
  }

  it.each([true, false])('is not mistaken for a lower rate after a break (reported wait: %j)', (says) => {
    const { call, pass } = oneAMinute({ says });
    for (let times = 0; times < 6; times += 1) call();
    pass(600_000);
    const first = call();
    expect(call() - first).toBeLessThanOrEqual(90_000);
  });

  it('does not rise, because the call at the end of a minute waited only for the minute', () => {
    const { pace, call } = oneAMinute({ says: true });
    for (let times = 0; times < 4; times += 1) call();
    const { rate } = pace;
    for (let times = 0; times < 20; times += 1) call();
    expect(pace.rate).toBeLessThanOrEqual(rate);
  });
});

it('slow calls with a refusal between them are not a quota', () => {
  const slow = given({ initialRate: 1, ceiling: 1 });
  slow.call('accepted');
  slow.call('refused');
  slow.call('accepted');
  expect(slow.pace.seenRate).toBe(slow.pace.rate);
  const far = given();
  far.call('accepted', 2000);
  far.call('refused', 2000);
  far.call('accepted', 2000);
  expect(far.pace.seenRate).toBe(far.pace.rate);
});
