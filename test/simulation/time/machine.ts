import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from '../../../src/core/lib/surroundings.ts';
import type { VirtualClock } from '../../../src/core/lib/virtual-clock.ts';

/** A machine of the simulated cluster: it runs one process of the server, and can be killed, frozen and set forward. */
export interface Machine {
  readonly name: string;
  /** Its own time, and sleeps that last as long as the machine is frozen. */
  readonly clock: Clock;
  readonly state: 'up' | 'frozen' | 'dead';
  /** Whether it was frozen or dead at a moment since that time of the world. */
  hasStoppedSince(time: number): boolean;
  /** Everything that `work` starts belongs to this machine, timers included. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Sends a request to the world outside of the machine, where it is processed whatever happens to the machine. A
   * frozen machine gets the response once it thaws, and a dead one never.
   */
  reach<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves once the machine is up; never if it is dead. */
  gate(): Promise<void>;
  freeze(): void;
  thaw(): void;
  kill(): void;
  /** Sets its clock forward. */
  jump(ms: number): void;
}

/** The machine that runs now. */
export const thisMachine = new AsyncLocalStorage<Machine>();

export interface MachineParts {
  readonly world: VirtualClock;
  /** How long a request or its response takes, in milliseconds. */
  readonly latencyMs: () => number;
}

export function createMachine(name: string, { world, latencyMs }: MachineParts): Machine {
  let state: Machine['state'] = 'up';
  let ahead = 0;
  let stoppedAt = Number.NEGATIVE_INFINITY;
  let thawed = Promise.withResolvers<void>();
  const gate = async (): Promise<void> => {
    while (state === 'frozen') await thawed.promise;
    if (state === 'dead') await new Promise(() => {});
  };
  const travel = async () => {
    const ms = latencyMs();
    if (ms > 0) await world.sleep(ms);
  };
  const machine: Machine = {
    name,
    get state() {
      return state;
    },
    hasStoppedSince: (time) => state !== 'up' || stoppedAt >= time,
    clock: {
      now: () => world.now() + ahead,
      async sleep(ms, signal) {
        await world.sleep(ms, signal);
        if (state !== 'up') await gate();
      },
    },
    run: (work) => thisMachine.run(machine, work),
    async reach(work) {
      if (state !== 'up') await gate();
      await travel();
      try {
        return await work();
      } finally {
        await travel();
        if (state !== 'up') await gate();
      }
    },
    gate,
    freeze() {
      if (state === 'up') state = 'frozen';
    },
    thaw() {
      if (state !== 'frozen') return;
      state = 'up';
      stoppedAt = world.now();
      thawed.resolve();
      thawed = Promise.withResolvers();
    },
    kill() {
      state = 'dead';
      thawed.resolve();
    },
    jump: (ms) => (ahead += ms),
  };
  return machine;
}
