import type { Clock } from '../../../core/lib/clock.ts';
import { createOperationTracker, type OperationTracker } from './operation-tracker.ts';

/** Holds what comes close together, and hands it on at once. */
export interface BatchWindow<T> {
  add(item: T): void;
}

export interface BatchWindowOptions<T> {
  readonly clock: Clock;
  /** Absent: nothing is known of further operations, and only the time closes the window. */
  readonly operations?: OperationTracker;
  /**
   * How long the first wave takes to come, in milliseconds: each arrival holds the window open so long again. Later,
   * when it is known how many go on at once, those that are missing are given twenty times that, and nobody waits
   * once they are there. Ten times as long in all at most.
   */
  readonly settleMs: number;
  close(items: readonly T[]): void;
}

const patience = 20;
const most = 10;

export function createBatchWindow<T>(options: BatchWindowOptions<T>): BatchWindow<T> {
  const { clock, settleMs, close, operations = createOperationTracker(options) } = options;
  let items: T[] = [];
  let lastAt = 0;
  let holding = new AbortController();

  function closeNow(): void {
    const held = items;
    items = [];
    holding.abort();
    if (held.length > 0) close(held);
  }

  async function hold({ signal }: AbortController): Promise<void> {
    const openedAt = clock.now();
    const quietMs = operations.isFirstWave ? settleMs : patience * settleMs;
    const leftMs = () => Math.min(lastAt + quietMs, openedAt + most * quietMs) - clock.now();
    for (let left = leftMs(); left > 0 && !signal.aborted; left = leftMs()) await clock.sleep(left, signal);
    if (signal.aborted) return;
    operations.expectNoMore();
    closeNow();
  }

  operations.onFull(closeNow);

  return {
    add(item) {
      items.push(item);
      lastAt = clock.now();
      if (items.length > 1) return;
      holding = new AbortController();
      void hold(holding);
    },
  };
}
