import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/core/lib/surroundings.ts';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';

async function record(clock: Clock, log: string[], name: string, sleeps: readonly number[]): Promise<void> {
  for (const ms of sleeps) {
    await clock.sleep(ms);
    log.push(`${name}@${clock.now()}`);
  }
}

describe('a virtual clock that is advanced', () => {
  it('starts at the given time and does not advance', async () => {
    const clock = createVirtualClock(1_000);
    await Promise.resolve();
    expect(clock.now()).toBe(1_000);
  });

  it('wakes no sleeper early', async () => {
    const clock = createVirtualClock();
    const log: string[] = [];
    void record(clock, log, 'a', [100]);
    await clock.advance(99);
    expect(log).toEqual([]);
    expect(clock.sleepers).toBe(1);
    await clock.advance(1);
    expect(log).toEqual(['a@100']);
    expect(clock.sleepers).toBe(0);
  });

  it('lets a sleeper sleep again within the time that passes', async () => {
    const clock = createVirtualClock();
    const log: string[] = [];
    void record(clock, log, 'a', [10, 10, 10]);
    void record(clock, log, 'b', [15, 15]);
    await clock.advance(25);
    expect(log).toEqual(['a@10', 'b@15', 'a@20']);
    expect(clock.now()).toBe(25);
  });

  it('wakes sleepers with the same time in the order in which they went to sleep', async () => {
    const clock = createVirtualClock();
    const log: string[] = [];
    for (const name of ['a', 'b', 'c']) void record(clock, log, name, [5]);
    await clock.advance(5);
    expect(log).toEqual(['a@5', 'b@5', 'c@5']);
  });

  it('runs until nothing sleeps, and ignores endless sleeps', async () => {
    const clock = createVirtualClock();
    const log: string[] = [];
    void record(clock, log, 'a', [60_000, 60_000]);
    void clock.sleep(Number.POSITIVE_INFINITY);
    await clock.runUntilIdle();
    expect(log).toEqual(['a@60000', 'a@120000']);
    expect(clock.sleepers).toBe(1);
  });
});

describe('a virtual clock and signals', () => {
  it('wakes a sleeper when its signal aborts, without time passing', async () => {
    const clock = createVirtualClock();
    const controller = new AbortController();
    const sleep = clock.sleep(1_000, controller.signal);
    controller.abort();
    await sleep;
    expect(clock.now()).toBe(0);
    expect(clock.sleepers).toBe(0);
  });

  it('does not sleep at all on an aborted signal', async () => {
    const clock = createVirtualClock();
    await clock.sleep(1_000, AbortSignal.abort());
    expect(clock.sleepers).toBe(0);
  });

  it('does not stop at the time of a sleeper that was aborted', async () => {
    const clock = createVirtualClock(0, { auto: true });
    const controller = new AbortController();
    const timeout = clock.sleep(500, controller.signal);
    controller.abort();
    await timeout;
    await clock.sleep(20);
    expect(clock.now()).toBe(20);
  });
});

describe('a virtual clock that advances automatically', () => {
  it('takes no real time for years of sleep', async () => {
    const clock = createVirtualClock(0, { auto: true });
    for (let day = 0; day < 1_000; day += 1) await clock.sleep(86_400_000);
    expect(clock.now()).toBe(86_400_000_000);
  });

  it('lets work that needs no time continue before it wakes the next sleeper', async () => {
    const clock = createVirtualClock(0, { auto: true });
    const timeout = clock.sleep(30).then(() => 'timed out');
    const work = (async () => {
      for (let step = 0; step < 1_000; step += 1) await Promise.resolve();
      await clock.sleep(29);
      return 'done';
    })();
    expect(await Promise.race([timeout, work])).toBe('done');
  });

  it('gives the same order every time, sorted by moment', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.array(fc.nat(50), { maxLength: 6 }), { maxLength: 6 }), async (sleeps) => {
        const run = async (): Promise<readonly string[]> => {
          const clock = createVirtualClock(0, { auto: true });
          const log: string[] = [];
          await Promise.all(sleeps.map((each, index) => record(clock, log, String(index), each)));
          return log;
        };
        const log = await run();
        const moments = log.map((line) => Number(line.split('@')[1]));
        expect(moments).toEqual([...moments].sort((a, b) => a - b));
        expect(log).toHaveLength(sleeps.flat().length);
        expect(await run()).toEqual(log);
      }),
    ));
});
