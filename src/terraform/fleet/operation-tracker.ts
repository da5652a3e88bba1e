import type { Clock } from '../../core/lib/surroundings.ts';

/**
 * Counts the operations that have started and not ended, and knows whether a call is being sent for them. Terraform
 * runs a limited number of operations at once, but does not reveal the limit: it is the number of open operations
 * whenever one of them ends.
 */
export interface OperationTracker {
  /**
   * All parts with the same key are one operation, which has left when all of its parts have. Call the result when a
   * part leaves.
   */
  enter(key: object): () => void;
  /** Something is being sent. Call the result when it has ended. */
  send(): () => void;
  /** No operation has left yet, so it is unknown how many may run at once. */
  readonly isFirstWave: boolean;
  /** As many operations are open as ever before and nothing is in flight. */
  readonly isFull: boolean;
  /** How many operations are open. */
  readonly count: number;
  readonly isSending: boolean;
  /** Expected operations have not arrived: fewer run at once now. */
  expectNoMore(): void;
  /**
   * Called when as many operations are open as ever before and nothing is in flight. No operation can then leave or
   * arrive before something is sent.
   */
  onFull(listener: () => void): void;
  /** Called when an operation arrives or leaves, or something is sent or has been. */
  onChange(listener: () => void): void;
}

export interface OperationTrackerOptions {
  readonly clock: Clock;
  /** A tenth of this time passes before a full tracker is reported, so that other changes can arrive; in milliseconds. */
  readonly settleMs: number;
}

export function createOperationTracker({ clock, settleMs }: OperationTrackerOptions): OperationTracker {
  const present = new Map<object, number>();
  const listeners: (() => void)[] = [];
  const watchers: (() => void)[] = [];
  let sending = 0;
  /** The maximum number of concurrent operations; unknown before one has left. */
  let width = Number.POSITIVE_INFINITY;

  const isFull = () => sending === 0 && present.size >= width;
  const isFirstWave = () => width === Number.POSITIVE_INFINITY;

  async function reportWhenFull(): Promise<void> {
    if (!isFull()) return;
    await clock.sleep(settleMs / 10);
    if (isFull()) for (const listener of listeners) listener();
  }

  function change(): void {
    for (const watcher of watchers) watcher();
  }

  function leave(key: object): void {
    const left = (present.get(key) as number) - 1;
    if (left > 0) {
      present.set(key, left);
      return;
    }
    width = isFirstWave() ? present.size : Math.max(width, present.size);
    present.delete(key);
    change();
  }

  return {
    enter(key) {
      present.set(key, (present.get(key) ?? 0) + 1);
      change();
      void reportWhenFull();
      return () => leave(key);
    },
    send() {
      sending += 1;
      change();
      return () => {
        sending -= 1;
        change();
        void reportWhenFull();
      };
    },
    get isFirstWave() {
      return isFirstWave();
    },
    get isFull() {
      return isFull();
    },
    get count() {
      return present.size;
    },
    get isSending() {
      return sending > 0;
    },
    expectNoMore() {
      if (!isFirstWave()) width = present.size;
    },
    onFull(listener) {
      listeners.push(listener);
    },
    onChange(listener) {
      watchers.push(listener);
    },
  };
}
