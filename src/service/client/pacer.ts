/** One action's pace: who may send when, learnt from what the service answers. */
export interface Pacer {
  /** Waits for this call's turn. */
  acquire(options?: AcquireOptions): Promise<Turn>;
  /** Calls a second that the service has been seen to accept; null before anything is known. */
  readonly rate: number | null;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal;
  /** Give up at once when the turn would come later than this many milliseconds from now. */
  readonly maxWaitMs?: number;
  /** Of the calls that wait, the one with the highest goes first; 0 when absent. */
  readonly priority?: number;
  /** A call that was refused goes back to the head of the queue. */
  readonly again?: boolean;
}

export type Turn =
  | { readonly kind: 'go'; readonly permit: Permit }
  | { readonly kind: 'aborted' }
  /** The turn would come in `waitMs`, later than the caller can wait. */
  | { readonly kind: 'too-late'; readonly waitMs: number };

/** To be given back exactly once, with what came of the call. */
export interface Permit {
  /** The service answered, and not with 429. */
  accepted(): void;
  /** 429; the wait is what the response asked for, in milliseconds, where it did. */
  refused(retryAfterMs?: number): void;
  /** No reply, or not sent after all: says nothing about the rate. */
  dropped(): void;
}
