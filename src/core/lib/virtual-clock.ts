import type { Clock } from './clock.ts';
import { createPriorityQueue } from './priority-queue.ts';

/** A clock whose time passes only on request, or when there is nothing else to do. */
export interface VirtualClock extends Clock {
  /** Lets time pass. Sleepers wake one by one, each at its own moment, and may sleep again on the way. */
  advance(ms: number): Promise<void>;
  /** Lets time pass until nobody sleeps any more; sleeps without end are left alone. */
  runUntilIdle(): Promise<void>;
  /** How many sleep now. */
  readonly sleepers: number;
}

export interface VirtualClockOptions {
  /**
   * Time passes by itself: whenever all other work waits, the next sleeper wakes. Thousands of sleeps then
   * take no real time, always in the same order.
   */
  readonly auto?: boolean;
  /**
   * Resolves once everything that can go on without time passing has gone on. One turn of the event loop is
   * right where all waiting is on promises and on this clock; work that waits for files or sockets needs a
   * longer look, or the time passes while it is still on its way.
   */
  readonly settle?: () => Promise<void>;
}

interface Sleeper {
  readonly wakeAt: number;
  /** Breaks ties: who slept first wakes first. */
  readonly order: number;
  awake: boolean;
  wake(): void;
}

export function createVirtualClock(startMs = 0, options: VirtualClockOptions = {}): VirtualClock {
  const settle = options.settle ?? nextTurn;
  const queue = createPriorityQueue<Sleeper>(
    (a, b) => a.wakeAt < b.wakeAt || (a.wakeAt === b.wakeAt && a.order < b.order),
  );
  let now = startMs;
  let slept = 0;
  let sleepers = 0;
  let running = false;

  /** Those whose signal was aborted are awake already and are passed over. */
  function nextSleeper(): Sleeper | undefined {
    while (queue.peek()?.awake) queue.pop();
    return queue.peek();
  }

  function wakeNext(end: number): boolean {
    const next = nextSleeper();
    if (next === undefined || next.wakeAt > end || next.wakeAt === Number.POSITIVE_INFINITY) return false;
    now = Math.max(now, next.wakeAt);
    queue.pop();
    next.wake();
    return true;
  }

  async function wakeUntil(end: number): Promise<void> {
    do await settle();
    while (wakeNext(end));
  }

  async function runByItself(): Promise<void> {
    running = true;
    do await settle();
    while (wakeNext(Number.POSITIVE_INFINITY));
    running = false;
  }

  return {
    now: () => now,
    sleep(ms, signal) {
      if (Number.isNaN(ms)) throw new RangeError('a sleep needs a number of milliseconds');
      if (signal?.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const sleeper: Sleeper = {
          wakeAt: now + Math.max(0, ms),
          order: slept++,
          awake: false,
          wake() {
            if (sleeper.awake) return;
            sleeper.awake = true;
            sleepers -= 1;
            signal?.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        signal?.addEventListener('abort', sleeper.wake);
        sleepers += 1;
        queue.push(sleeper);
        if (options.auto === true && !running) void runByItself();
      });
    },
    async advance(ms) {
      const end = now + ms;
      await wakeUntil(end);
      now = Math.max(now, end);
    },
    runUntilIdle: () => wakeUntil(Number.POSITIVE_INFINITY),
    get sleepers() {
      return sleepers;
    },
  };
}

/** The promise jobs of this turn are all done before the next turn begins. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
