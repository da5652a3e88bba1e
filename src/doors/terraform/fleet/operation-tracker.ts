import type { Clock } from '../../../core/lib/clock.ts';

/**
 * Counts the operations that have started and not ended, and knows whether a call is being sent for them. Terraform
 * runs a limited number of operations at once, but does not reveal the limit: it is the number of open operations
 * whenever one of them ends.
 */
export interface OperationTracker {
  /** All that shares one key is one operation, which has left once all of it has; the result is to be called then. */
  enter(key: object): () => void;
  /** Something is being sent; the result is to be called once it has ended. */
  send(): () => void;
  /** Nobody has left yet, so that nobody knows how many may come at once. */
  readonly isFirstWave: boolean;
  /** More were expected, and have not come: fewer go on at once by now. */
  expectNoMore(): void;
  /**
   * Called when as many are there as ever were and nothing is on its way: nobody leaves, and so nobody comes, before
   * something is sent.
   */
  onFull(listener: () => void): void;
}

export interface OperationTrackerOptions {
  readonly clock: Clock;
  /** What has just come or ended is given a tenth of that to go on, in milliseconds. */
  readonly settleMs: number;
}

export function createOperationTracker({ clock, settleMs }: OperationTrackerOptions): OperationTracker {
  const present = new Map<object, number>();
  const listeners: (() => void)[] = [];
  let sending = 0;
  /** How many have been there at once; not known before one has left. */
  let width = Number.POSITIVE_INFINITY;

  const isFull = () => sending === 0 && present.size >= width;
  const isFirstWave = () => width === Number.POSITIVE_INFINITY;

  async function reportWhenFull(): Promise<void> {
    if (!isFull()) return;
    await clock.sleep(settleMs / 10);
    if (isFull()) for (const listener of listeners) listener();
  }

  function leave(key: object): void {
    const left = (present.get(key) as number) - 1;
    if (left > 0) {
      present.set(key, left);
      return;
    }
    width = isFirstWave() ? present.size : Math.max(width, present.size);
    present.delete(key);
  }

  return {
    enter(key) {
      present.set(key, (present.get(key) ?? 0) + 1);
      void reportWhenFull();
      return () => leave(key);
    },
    send() {
      sending += 1;
      return () => {
        sending -= 1;
        void reportWhenFull();
      };
    },
    get isFirstWave() {
      return isFirstWave();
    },
    expectNoMore() {
      if (!isFirstWave()) width = present.size;
    },
    onFull(listener) {
      listeners.push(listener);
    },
  };
}
