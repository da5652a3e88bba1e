import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { ok, type Result } from '../../../src/core/problem/problem.ts';
import { createBatchWindow } from '../../../src/terraform/fleet/batch-window.ts';
import { createKeyedMutex } from '../../../src/terraform/fleet/keyed-mutex.ts';
import { createOperationTracker } from '../../../src/terraform/fleet/operation-tracker.ts';
import { createStallDetector } from '../../../src/terraform/fleet/stall-detector.ts';
import { untilCancelled } from '../../../src/terraform/fleet/until-cancelled.ts';
import { whenAllAborted } from '../../../src/terraform/fleet/when-all-aborted.ts';

describe('a signal for several operations', () => {
  it('aborts once all of them are cancelled, whether before or after it was created', () => {
    const [before, first, last] = [AbortSignal.abort(), new AbortController(), new AbortController()];
    const all = whenAllAborted([before, first.signal, last.signal]);
    expect(all.aborted).toBe(false);
    first.abort();
    expect(all.aborted).toBe(false);
    last.abort();
    expect(all.aborted).toBe(true);
    expect(whenAllAborted([before, before]).aborted).toBe(true);
  });

  it("never aborts if one of them can't be cancelled", () => {
    const stop = new AbortController();
    const all = whenAllAborted([undefined, stop.signal]);
    stop.abort();
    expect(all.aborted).toBe(false);
  });
});

describe('work that several callers share', () => {
  it('continues when one of them is cancelled, and leaves no listener behind', async () => {
    const { promise, resolve } = Promise.withResolvers<Result<number>>();
    const stop = new AbortController();
    const leaving = untilCancelled(promise, stop.signal);
    const staying = untilCancelled(promise, undefined);
    stop.abort();
    expect(await leaving).toMatchObject({ ok: false, problems: [{ code: 'cancelled' }] });
    resolve(ok(7));
    expect(await staying).toEqual(ok(7));
    expect((await untilCancelled(promise, AbortSignal.abort())).ok).toBe(false);

    const { signal } = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      if (given[0] === 'abort') listeners += 1;
      addEventListener.apply(signal, given);
    };
    signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      if (given[0] === 'abort') listeners -= 1;
      removeEventListener.apply(signal, given);
    };
    expect(await untilCancelled(promise, signal)).toEqual(ok(7));
    await Promise.resolve();
    expect(listeners).toBe(0);
  });
});

describe('work on one host', () => {
  it('begins after all earlier work on it, even if that failed, and work on other hosts begins immediately', async () => {
    const clock = createVirtualClock(0, { auto: true });
    const mutex = createKeyedMutex<string>();
    const begun: [string, number][] = [];
    const work =
      (name: string, fails = false) =>
      async () => {
        begun.push([name, clock.now()]);
        await clock.sleep(100);
        if (fails) throw new Error('failed');
      };
    const first = mutex.after('a', work('first', true));
    const rest = [mutex.after('a', work('second')), mutex.after('b', work('other'))];
    const third = mutex.after('a', work('third'));
    await expect(first).rejects.toThrow('failed');
    await Promise.all([...rest, third]);
    expect(Object.fromEntries(begun)).toEqual({ first: 0, other: 0, second: 100, third: 200 });
  });
});

describe('operations that arrive and leave', () => {
  function given() {
    const clock = createVirtualClock(0);
    const tracker = createOperationTracker({ clock, settleMs: 50 });
    const full: number[] = [];
    tracker.onFull(() => full.push(clock.now()));
    return { clock, tracker, full };
  }
  const key = () => ({});

  it('belong to the first wave until one of them has left with all of its parts', () => {
    const { tracker } = given();
    const one = key();
    const parts = [tracker.enter(one), tracker.enter(one), tracker.enter(one)];
    tracker.expectNoMore();
    for (const leave of parts) {
      expect(tracker.isFirstWave).toBe(true);
      leave();
    }
    expect(tracker.isFirstWave).toBe(false);
  });

  it('are complete shortly after as many have arrived as there were before', async () => {
    const { clock, tracker, full } = given();
    const first = [tracker.enter(key()), tracker.enter(key())];
    await clock.advance(100);
    expect(full).toEqual([]);
    for (const leave of first) leave();
    tracker.enter(key());
    await clock.advance(100);
    expect(full).toEqual([]);
    tracker.enter(key());
    await clock.advance(4);
    expect(full).toEqual([]);
    await clock.advance(1);
    expect(full).toEqual([205]);
  });

  it('are not complete while a call is in flight that may complete the last one', async () => {
    const { clock, tracker, full } = given();
    tracker.enter(key())();
    const sent = tracker.send();
    tracker.enter(key());
    await clock.advance(100);
    expect(full).toEqual([]);
    sent();
    await clock.advance(5);
    expect(full).toEqual([105]);
  });

  it('are fewer once no more are expected', async () => {
    const { clock, tracker, full } = given();
    const leaves = [tracker.enter(key()), tracker.enter(key()), tracker.enter(key())];
    leaves[0]?.();
    tracker.expectNoMore();
    leaves[1]?.();
    tracker.enter(key());
    await clock.advance(5);
    expect(full).toEqual([5]);
  });
});

describe('a stall', () => {
  function given() {
    const clock = createVirtualClock(0);
    const state = { waiting: true };
    const standstills: number[] = [];
    const detector = createStallDetector({
      clock,
      patienceMs: () => 1000,
      hasWaiting: () => state.waiting,
      onStall: () => standstills.push(clock.now()),
    });
    return { clock, state, standstills, detector };
  }

  it('is detected with one timer when no operation has arrived for the set time since the last one', async () => {
    const { clock, standstills, detector } = given();
    detector.touch();
    await clock.advance(900);
    detector.touch();
    await clock.advance(0);
    expect(clock.sleepers).toBe(1);
    await clock.advance(999);
    expect(standstills).toEqual([]);
    await clock.advance(1);
    expect(standstills).toEqual([1900]);
  });

  it('is not detected while a call is in flight, and is timed from its end', async () => {
    const { clock, standstills, detector } = given();
    detector.touch();
    const ends = [detector.begin(), detector.begin()];
    ends[0]?.();
    await clock.advance(60_000);
    expect(standstills).toEqual([]);
    ends[1]?.();
    await clock.advance(1000);
    expect(standstills).toEqual([61_000]);
  });

  it('is not detected when no operation waits, and needs no timer then', async () => {
    const { clock, state, standstills, detector } = given();
    detector.touch();
    state.waiting = false;
    await clock.advance(1000);
    expect(standstills).toEqual([]);
    detector.touch();
    expect(clock.sleepers).toBe(0);
  });
});

describe('a batch window', () => {
  function given() {
    const clock = createVirtualClock(0);
    const closed: (readonly string[])[] = [];
    let full = () => {};
    let givenUp = 0;
    const operations = {
      enter: () => () => {},
      send: () => () => {},
      isFirstWave: true,
      expectNoMore: () => void (givenUp += 1),
      onFull: (listener: () => void) => {
        full = listener;
      },
    };
    const window = createBatchWindow<string>({
      clock,
      operations,
      settleMs: 50,
      close: (items) => closed.push(items),
    });
    return { clock, closed, window, full: () => full(), givenUp: () => givenUp };
  }

  it('passes on all items when no more arrive', async () => {
    const { clock, closed, window, givenUp } = given();
    window.add('a');
    await clock.advance(40);
    window.add('b');
    await clock.advance(49);
    expect([closed, givenUp()]).toEqual([[], 0]);
    await clock.advance(1);
    expect([closed, givenUp()]).toEqual([[['a', 'b']], 1]);
  });

  it('closes immediately if all operations have arrived, and holds later ones for the usual time', async () => {
    const { clock, closed, window, full, givenUp } = given();
    full();
    expect(closed).toEqual([]);
    window.add('a');
    full();
    window.add('b');
    await clock.advance(49);
    expect([closed, givenUp()]).toEqual([[['a']], 0]);
    await clock.advance(1);
    expect([closed, givenUp()]).toEqual([[['a'], ['b']], 1]);
  });
});
