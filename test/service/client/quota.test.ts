import { describe, expect, it } from 'vitest';
import { Delivery } from '../../../src/service/client/delivery.ts';
import { Quota } from '../../../src/service/client/quota.ts';
import { RoundTrip } from '../../../src/service/client/round-trip.ts';

const drought = 2000;

/** Three calls are taken at 0, 10 and 20; one at 30 is refused until 900; the next is taken at 1000. */
function learned(): Quota {
  const quota = new Quota();
  for (const at of [0, 10, 20]) quota.accepted(at, drought);
  quota.refused(30, 900);
  quota.accepted(1000 + drought, drought);
  return quota;
}

describe('a quota', () => {
  it('delays no call before it is known', () => {
    const quota = new Quota();
    expect(quota).toMatchObject({ taken: 0, perSecond: null, opensAt: Number.NEGATIVE_INFINITY });
    quota.accepted(0, drought);
    expect(quota.taken).toBe(1);
    expect(quota.isSpent(1000)).toBe(false);
    quota.refused(5, 5);
    expect(quota.perSecond).toBeNull();
  });

  it('is learned when the service accepts a call after refusals and a pause', () => {
    const quota = learned();
    expect(quota).toMatchObject({ perSecond: 1, taken: 1 });
    // Three a period, and the first test of a fourth is due.
    expect([1, 2, 3].map((inFlight) => quota.isSpent(inFlight))).toEqual([false, false, true]);
    expect(quota.opensAt).toBe(3000 + Math.ceil(Math.sqrt(900 * 3000)));
  });

  it('is not learned from a pause without refusals, or from refusals without a pause', () => {
    const paused = new Quota();
    paused.accepted(0, drought);
    paused.accepted(drought + 10, drought);
    expect(paused.perSecond).toBeNull();
    const refused = new Quota();
    refused.accepted(0, drought);
    refused.refused(10, 10);
    refused.accepted(drought - 1, drought);
    expect(refused).toMatchObject({ perSecond: null, taken: 2 });
    refused.refused(drought, drought);
    refused.accepted(2 * drought - 1, drought);
    expect(refused.perSecond).toEqual((1000 * 2) / (2 * drought - 1));
  });

  it('knows its period if the service reported when to retry', () => {
    const quota = new Quota();
    quota.accepted(0, drought);
    quota.refused(10, 60_000);
    quota.accepted(60_000, drought);
    expect(quota.opensAt).toBe(120_000);
  });

  it('opens earlier each time until a call is too early', () => {
    const quota = learned();
    const opens = quota.opensAt;
    for (const at of [3010, 3020]) quota.accepted(at, drought);
    expect(quota).toMatchObject({ taken: 3, opensAt: opens });
    quota.accepted(opens, drought);
    expect(quota.perSecond).toBe((1000 * 3) / (opens - 3000));
    expect(quota.taken).toBe(1);
  });

  it('opens later after a refusal at its opening', () => {
    const quota = learned();
    for (const at of [3010, 3020]) quota.accepted(at, drought);
    quota.refused(3000 + 2500, 3000 + 2500);
    expect(quota.opensAt).toBe(3000 + Math.ceil(Math.sqrt(2500 * 3000)));
    quota.refused(3000 + 2900, 3000 + 2900);
    expect(quota.opensAt).toBe(6000);
    quota.refused(3000 + 4000, 3000 + 4000);
    expect(quota.opensAt).toBe(7000);
  });

  it('does not count a refusal while calls are left', () => {
    const quota = learned();
    const { opensAt } = quota;
    quota.refused(5500, 5500);
    expect(quota.opensAt).toBe(opensAt);
  });

  it('restarts with a call after its period, and is forgotten when the service accepts more calls', () => {
    const late = learned();
    late.accepted(3000 + 3000, drought);
    expect(late).toMatchObject({ taken: 1, perSecond: 1 });
    const more = learned();
    for (const at of [3010, 3020, 3030]) more.accepted(at, drought);
    expect(more).toMatchObject({ perSecond: null, opensAt: Number.NEGATIVE_INFINITY });
  });

  it('is occasionally tested with one more call, less often after each refusal', () => {
    const quota = learned();
    const spentAt = () => [1, 2, 3].find((inFlight) => quota.isSpent(inFlight));
    let now = 3000;
    const allows: boolean[] = [];
    for (let round = 0; round < 12; round += 1) {
      quota.accepted(now + 10, drought);
      quota.accepted(now + 20, drought);
      const isTested = !quota.isSpent(0);
      allows.push(isTested);
      if (isTested) quota.refused(now + 30, now + 30);
      now = quota.opensAt;
      quota.accepted(now, drought);
    }
    expect(spentAt()).toBeDefined();
    expect(allows.map((each) => (each ? 'x' : '.')).join('')).toBe('x..x.....x..');
  });
});

describe('a quota that began late in time', () => {
  const begins = 5_000_000;
  /** Three calls in each second, as the service reports with its refusal. */
  function threeASecond(): Quota {
    const quota = new Quota();
    for (const at of [0, 10, 20]) quota.accepted(begins + at, 500);
    quota.refused(begins + 30, begins + 1000);
    quota.accepted(begins + 1000, 500);
    return quota;
  }

  it('is learned in the same way as any other quota', () => {
    const quota = threeASecond();
    expect(quota).toMatchObject({ taken: 1, perSecond: 3, opensAt: begins + 2000 });
  });

  it('restarts with a call after its period', () => {
    const quota = threeASecond();
    quota.accepted(begins + 1010, 500);
    quota.accepted(begins + 2500, 500);
    expect(quota).toMatchObject({ taken: 1, perSecond: 3, opensAt: begins + 3500 });
  });

  it('keeps its period when the caller is late, and changes it when the service reports another', () => {
    const late = threeASecond();
    for (const at of [1010, 1020]) late.accepted(begins + at, 500);
    late.accepted(begins + 60_000, 500);
    expect(late).toMatchObject({ taken: 1, perSecond: 3, opensAt: begins + 61_000 });
    const refused = threeASecond();
    for (const at of [1010, 1020]) refused.accepted(begins + at, 500);
    refused.refused(begins + 1030, begins + 2000);
    refused.accepted(begins + 60_000, 500);
    expect(refused.perSecond).toBe(3);
    const longer = threeASecond();
    for (const at of [1010, 1020]) longer.accepted(begins + at, 500);
    longer.refused(begins + 2000, begins + 2000);
    longer.accepted(begins + 2500, 500);
    expect(longer.perSecond).toBe(2);
    for (const at of [2510, 2520]) longer.accepted(begins + at, 500);
    longer.accepted(begins + 60_000, 500);
    expect(longer.perSecond).toBe(2);
  });

  it('gets a longer period if the service requests a longer wait', () => {
    const quota = threeASecond();
    for (const at of [1010, 1020]) quota.accepted(begins + at, 500);
    quota.refused(begins + 1900, begins + 2400);
    quota.accepted(begins + 2500, 500);
    expect(quota.perSecond).toBe(2);
  });

  it('that opens later than expected is still tested equally often for more calls', () => {
    const tested = (refusals: readonly number[]) => {
      const quota = threeASecond();
      for (const at of [1010, 1020]) quota.accepted(begins + at, 500);
      for (const at of refusals) quota.refused(begins + at, begins + at);
      quota.accepted(begins + 2000, 500);
      for (const at of [2010, 2020]) quota.accepted(begins + at, 500);
      const first = quota.isSpent(0);
      quota.accepted(quota.opensAt, 500);
      return [first, [1, 2, 3].map((inFlight) => quota.isSpent(inFlight))];
    };
    expect(tested([1030])).toEqual(tested([1030, 1040, 1050]));
  });

  it('is tested as often as at first after it was forgotten and learned again', () => {
    const quota = threeASecond();
    for (const at of [1010, 1020]) quota.accepted(begins + at, 500);
    for (const at of [1030, 2030, 3030]) quota.refused(begins + at, begins + at);
    for (const at of [1040, 1050]) quota.accepted(begins + at, 500);
    expect(quota.perSecond).toBeNull();
    quota.refused(begins + 1060, begins + 9000);
    quota.accepted(begins + 9000, 500);
    expect(quota.perSecond).not.toBeNull();
    const [count, first] = [Math.round((quota.perSecond ?? 0) * 8), quota.taken];
    for (let taken = first; taken < count; taken += 1) quota.accepted(begins + 9000 + taken, 500);
    expect(quota.isSpent(0)).toBe(false);
  });
});

describe('the time of a round trip', () => {
  it('is zero before the first measurement, then the first value, then the usual value', () => {
    const trip = new RoundTrip();
    expect(trip.ms).toBe(0);
    trip.measured(80, 0);
    expect(trip.ms).toBe(80);
    trip.measured(160, 10);
    expect(trip.ms).toBe(90);
  });

  it('is at most twice the shortest, and at least a millisecond', () => {
    const trip = new RoundTrip();
    trip.measured(0, 0);
    expect(trip.ms).toBe(1);
    for (let at = 1; at < 50; at += 1) trip.measured(1000, at);
    expect(trip.ms).toBe(2);
  });

  it('follows a shorter trip at once', () => {
    const trip = new RoundTrip();
    trip.measured(100, 0);
    trip.measured(10, 1);
    expect(trip.ms).toBe(20);
  });

  it('is outdated if no trip was nearly as short for ten seconds', () => {
    const trip = new RoundTrip();
    trip.measured(100, 0);
    trip.measured(111, 5000);
    expect([10_000, 10_001].map((now) => trip.isOld(now))).toEqual([false, true]);
    trip.measured(110, 6000);
    expect([16_000, 16_001].map((now) => trip.isOld(now))).toEqual([false, true]);
  });

  it('keeps the shortest when a nearly as short one comes', () => {
    const trip = new RoundTrip();
    trip.measured(100, 0);
    trip.measured(110, 1);
    for (let at = 2; at < 60; at += 1) trip.measured(1000, at);
    expect(trip.ms).toBe(200);
  });

  it('can be measured again', () => {
    const trip = new RoundTrip();
    trip.measured(10, 0);
    for (let at = 1; at < 60; at += 1) trip.measured(1000, at);
    trip.renew(400, 20_000);
    expect(trip.ms).toBe(800);
    expect([30_000, 30_001].map((now) => trip.isOld(now))).toEqual([false, true]);
    trip.renew(0, 40_000);
    expect(trip.ms).toBe(2);
  });
});

describe('the rate of delivery', () => {
  it('counts responses since the start of the window', () => {
    const delivery = new Delivery();
    for (const at of [0, 100, 200, 300]) delivery.accepted(at);
    expect(delivery.rate(300, 1000)).toBe(4);
    expect(delivery.rate(300, 300)).toBe(10);
    expect(delivery.rate(300, 299)).toBeCloseTo(10.03, 2);
    expect(delivery.rate(300, 50)).toBe(20);
    expect(delivery.rate(1000, 100)).toBe(0);
    expect(new Delivery().rate(0, 1000)).toBe(0);
  });

  it('forgets the oldest of very many', () => {
    const delivery = new Delivery();
    for (let at = 0; at < 200_000; at += 1) delivery.accepted(at);
    expect(delivery.rate(200_000, 1_000_000)).toBe(100);
    expect(delivery.rate(200_000, 50_000)).toBeCloseTo(1000, -1);
  });
});
