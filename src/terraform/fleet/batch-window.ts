import type { Clock } from '../../core/lib/surroundings.ts';
import { createOperationTracker, type OperationTracker } from './operation-tracker.ts';

/** Collects items that arrive close together, and passes them on together. */
export interface BatchWindow<T> {
  add(item: T): void;
}

export interface BatchWindowOptions<T> {
  readonly clock: Clock;
  /** If absent, further operations are unknown, and only time closes the window. */
  readonly operations?: Pick<OperationTracker, 'isFirstWave' | 'expectNoMore' | 'onFull'>;
  /**
   * How long the first wave may take to arrive, in milliseconds; each arrival extends the window by this time. Later,
   * when the number of concurrent operations is known, missing operations are awaited for twenty times as long, and the
   * window closes once all have arrived. At most ten times as long in total.
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
