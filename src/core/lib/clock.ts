/** An injected clock, so that a test can run through hours in a moment. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal aborts. It never throws: the caller checks the signal. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
