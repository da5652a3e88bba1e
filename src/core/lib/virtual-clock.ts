import { createPriorityQueue } from './priority-queue.ts';
import type { Clock } from './surroundings.ts';

/** A clock whose time passes only on request, or when there is nothing else to do. */
export interface VirtualClock extends Clock {
  /** Advances time. Sleepers wake one by one, each at its own moment, and may sleep again. */
  advance(ms: number): Promise<void>;
  /** Advances time until nothing sleeps anymore. Endless sleeps are ignored. */
  runUntilIdle(): Promise<void>;
  /** The number of pending sleeps. */
  readonly sleepers: number;
}

export interface VirtualClockOptions {
  /**
   * Advances time automatically: whenever all other work waits, the next sleeper wakes. Thousands of sleeps then take
   * no real time, always in the same order.
   */
  readonly auto?: boolean;
  /**
   * Resolves when all work that does not need time to pass has finished. One turn of the event loop is right if all
   * waiting is on promises and on this clock. Work that waits for files or sockets needs longer; otherwise time
   * advances before that work is done.
   */
  readonly settle?: () => Promise<void>;
}

interface Sleeper {
  readonly wakeAt: number;
  /** Breaks ties: the sleeper that slept first wakes first. */
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

  /** Sleepers whose signal was aborted are awake already and are skipped. */
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

/** All promise jobs of this turn finish before the next turn begins. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
