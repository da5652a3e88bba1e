import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/service/client/system-clock.ts';

describe("the system's clock", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000 });
  });
  afterEach(() => {
    vi.restoreAllMocks();
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
    const delays: unknown[] = [];
    const month = 31 * 24 * 3_600_000;
    // Timers that fire at once: a fake clock would also turn what other tests left running, for a month.
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((fire: () => void, ms: number) => {
      delays.push(ms);
      queueMicrotask(fire);
    }) as never);
    await systemClock.sleep(month);
    expect(delays).toEqual([2 ** 31 - 1, month - (2 ** 31 - 1)]);
  });
});
