import { describe, expect, it } from 'vitest';
import { Climb, type Cut } from '../../../src/service/client/climb.ts';

/** A shallow cut at a fast service: the slowest climb after the shortest hold. */
const shallow: Cut = { drop: 0.02, rate: 100, tripMs: 0, pauseMs: 0 };

/** The factors at these times, in seconds after the cut, read one after another. */
function factors(cut: Partial<Cut>, ...seconds: readonly number[]): readonly number[] {
  const climb = new Climb(10_000, { ...shallow, ...cut });
  return seconds.map((each) => climb.factor(10_000 + 1000 * each));
}
/** By how many percent the rate rises in the first second after the hold, whose time is given. */
const percent = (cut: Partial<Cut>, hold: number) => {
  const [before, after] = factors(cut, hold, hold + 1) as [number, number];
  expect(before).toBe(1);
  return (after - 1) * 100;
};

describe('a rate after a cut', () => {
  it('is held for 4 seconds, and then rises by half a percent, doubling in 3 seconds', () => {
    expect(percent({}, 4)).toBeCloseTo(0.5 * 2 ** (1 / 3), 6);
    expect(factors({}, 4, 7, 10)[2]).toBeCloseTo(1 + 0.005 * 4, 6);
  });
  it('rises only while time passes, and never goes back', () =>
    expect(factors({}, 5, 5, 4.5)).toEqual([expect.any(Number), 1, 1]));
  it('rises by at most a fifth a second', () => expect(factors({}, 4, 60)[1]).toBeCloseTo(1.2, 9));
  it('counts at most one second, and parts of one proportionally', () => {
    const [, half] = factors({}, 4, 4.5) as [number, number];
    expect(half).toBeCloseTo(1 + 0.5 * 0.005 * 2 ** (0.5 / 3), 9);
  });
  it('rises sooner and faster after a deeper cut', () => {
    expect(percent({ drop: 0.25 }, 1)).toBeCloseTo(2 * 2 ** (1 / 3), 6);
    expect(percent({ drop: 0.9 }, 0.5)).toBeCloseTo(4 * 2 ** (1 / 3), 6);
  });
  it('rises later and more slowly if calls take long', () =>
    expect(percent({ tripMs: 1000 }, 8)).toBeCloseTo(0.25 * 2 ** (1 / 9), 6));
  it('is held for at least four calls, and for twenty times the pause that the service requested', () => {
    expect(percent({ rate: 0.5 }, 8)).toBeCloseTo(0.5 * 2 ** (1 / 3), 6);
    expect(percent({ pauseMs: 1000 }, 20)).toBeCloseTo(0.5 * 2 ** (1 / 3), 6);
  });
});
