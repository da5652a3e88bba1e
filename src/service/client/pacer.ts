/** The pace of one action: decides when each call may be sent, and learns from the service's responses. */
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

/** Must be returned exactly once, with the result of the call. */
export interface Permit {
  /** The service responded with any status except 429. */
  accepted(): void;
  /** 429. The wait that the response requested, in milliseconds, if any. */
  refused(retryAfterMs?: number): void;
  /** No response, or not sent after all: the result proves nothing about the rate. */
  dropped(): void;
}

/** How fast calls go now, and what holds those back that wait. */
export interface PaceState {
  /** Calls that wait for their turn. */
  readonly waiting: number;
  /** The maximum number of calls per second now. */
  readonly allowed: number;
  /** Calls per second that the service allows, as far as it is known; null while it has refused none. */
  readonly limit: number | null;
  readonly bound: PaceBound;
}

/**
 * `pace`: each call waits for its turn. `refusal`: the service refuses calls, so none is sent before `until`, in
 * milliseconds since the epoch. `answers`: no other call is sent before a response arrives.
 */
export type PaceBound =
  | { readonly kind: 'pace' | 'answers' }
  | { readonly kind: 'refusal'; readonly until: number };
