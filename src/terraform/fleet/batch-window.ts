import type { Clock } from '../../lib/clock.ts';

/** Holds what comes close together, and hands it on at once. */
export interface BatchWindow<T> {
  add(item: T): void;
}

export interface BatchWindowOptions<T> {
  readonly clock: Clock;
  /** Opened again by each arrival, for so many milliseconds, and ten times that at most. */
  readonly settleMs: number;
  close(items: readonly T[]): void;
}

export function createBatchWindow<T>({ clock, settleMs, close }: BatchWindowOptions<T>): BatchWindow<T> {
  let items: T[] = [];
  let lastAt = 0;

  async function hold(): Promise<void> {
    const latest = clock.now() + 10 * settleMs;
    for (let left = settleMs; left > 0; left = Math.min(lastAt + settleMs, latest) - clock.now()) {
      await clock.sleep(left);
    }
    const held = items;
    items = [];
    close(held);
  }

  return {
    add(item) {
      items.push(item);
      lastAt = clock.now();
      if (items.length === 1) void hold();
    },
  };
}
