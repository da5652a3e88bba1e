import type { VirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { type Machine, thisMachine } from './machine.ts';

/** What replaces the timers of Node in the machines of a simulation. Code outside of machines keeps the real ones. */
export interface VirtualTimers {
  /** Resolves when all work that does not need time to pass has finished. */
  settle(): Promise<void>;
  /** From now on, machines use the time of this clock. */
  follow(clock: VirtualClock): void;
  restore(): void;
}

class Timer {
  readonly #stop = new AbortController();
  constructor(machine: Machine, clock: VirtualClock, ms: number, work: () => void, repeats: boolean) {
    const { signal } = this.#stop;
    const wait = async () => {
      do {
        await clock.sleep(ms, signal);
        if (machine.state !== 'up') await machine.gate();
        if (!signal.aborted) work();
      } while (repeats && !signal.aborted);
    };
    void wait();
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return false;
  }
  clear(): void {
    this.#stop.abort('cleared');
  }
}

/**
 * The lease of a run, the watch of a run and the timeout of a socket measure real time whatever clock the run uses, so
 * a simulation gives them separate timers.
 */
export function installVirtualTimers(): VirtualTimers {
  const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, now: performance.now };
  let clock: VirtualClock | undefined;
  let turns = 0;
  const timer =
    (inReality: typeof setTimeout | typeof setInterval, repeats: boolean) =>
    (work: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
      const machine = thisMachine.getStore();
      if (machine === undefined || clock === undefined) return inReality(work, ms, ...given);
      return new Timer(machine, clock, ms, () => work(...given), repeats);
    };
  const clear = (inReality: typeof clearTimeout) => (handle: unknown) =>
    handle instanceof Timer ? handle.clear() : inReality(handle as NodeJS.Timeout);
  const replaced = {
    setTimeout: timer(real.setTimeout, false),
    setInterval: timer(real.setInterval, true),
    clearTimeout: clear(real.clearTimeout),
    clearInterval: clear(real.clearInterval),
    setImmediate(work: (...given: unknown[]) => void, ...given: unknown[]) {
      if (thisMachine.getStore() === undefined) return real.setImmediate(work, ...given);
      turns += 1;
      return real.setImmediate(() => {
        turns -= 1;
        work(...given);
      });
    },
  };
  const now = () =>
    clock === undefined || thisMachine.getStore() === undefined ? real.now.call(performance) : clock.now();
  Object.assign(globalThis, replaced);
  performance.now = now;
  const turn = () => new Promise<void>((resolve) => void real.setImmediate(resolve));
  return {
    async settle() {
      do await turn();
      while (turns > 0);
    },
    follow(given) {
      clock = given;
    },
    restore() {
      const { now: realNow, ...timers } = real;
      Object.assign(globalThis, timers);
      performance.now = realNow;
    },
  };
}
