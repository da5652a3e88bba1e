/** The pace of one action: decides when each call may go, and learns from the service's answers. */
export interface Pacer {
  /** Waits for this call's turn. */
  acquire(options?: AcquireOptions): Promise<Turn>;
  /** Calls per second that the service has been seen to accept; null before anything is known. */
  readonly rate: number | null;
}

export interface AcquireOptions {
  readonly signal?: AbortSignal;
  /** Give up immediately if the turn would come later than this many milliseconds from now. */
  readonly maxWaitMs?: number;
  /** Among waiting calls, the one with the highest value goes first; 0 if absent. */
  readonly priority?: number;
  /** A call that was refused goes back to the head of the queue. */
  readonly again?: boolean;
}

export type Turn =
  | { readonly kind: 'go'; readonly permit: Permit }
  | { readonly kind: 'aborted' }
  /** The turn would come in `waitMs`, later than the caller can wait. */
  | { readonly kind: 'too-late'; readonly waitMs: number };

/** Must be given back exactly once, with the result of the call. */
export interface Permit {
  /** The service answered with any status except 429. */
  accepted(): void;
  /** 429. The wait is what the response asked for, in milliseconds, if it did. */
  refused(retryAfterMs?: number): void;
  /** No reply, or not sent after all: the result says nothing about the rate. */
  dropped(): void;
}
