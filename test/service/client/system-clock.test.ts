import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/service/client/system-clock.ts';

describe("the system's clock", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('returns the time and sleeps', async () => {
    const asleep = systemClock.sleep(500);
    await vi.advanceTimersByTimeAsync(500);
    await asleep;
    expect(systemClock.now()).toBe(1_500);
  });

  it('wakes at once when it is stopped, and leaves no timer behind', async () => {
    const stop = new AbortController();
    const asleep = systemClock.sleep(500, stop.signal);
    stop.abort();
    await asleep;
    expect([systemClock.now(), vi.getTimerCount()]).toEqual([1_000, 0]);
  });

  it.each([0, -5])('does not sleep for %i ms', async (ms) => {
    await systemClock.sleep(ms);
    await systemClock.sleep(500, AbortSignal.abort());
    expect(vi.getTimerCount()).toBe(0);
  });

  it('sleeps longer than one timer can', async () => {
    let awake = false;
    const month = 31 * 24 * 3_600_000;
    const asleep = systemClock.sleep(month).then(() => {
      awake = true;
    });
    await vi.advanceTimersByTimeAsync(month - 1);
    expect(awake).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await asleep;
  });
});
