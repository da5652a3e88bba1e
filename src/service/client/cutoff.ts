import type { Clock } from '../../core/lib/surroundings.ts';

/**
 * Shortens requests when the work must end: after an interrupt all of them together, after a deadline each by itself.
 */
export interface Cutoff {
  /** Aborted at the end of the grace period after an interrupt. From then on nothing is sent or awaited. */
  readonly signal: AbortSignal;
  /** The milliseconds that a request starting now may take; undefined without a deadline. */
  requestMs(): number | undefined;
  /** Sets a deadline in this many milliseconds; after it, requests get a grace period. */
  setDeadline(inMs: number): void;
  /** True after the deadline or an interrupt: requests that timed out are not sent again. */
  isEnding(): boolean;
  interrupt(): void;
  /** Releases the timer. */
  close(): void;
}

/** How long requests in flight may take after an interrupt, in milliseconds. */
export const interruptGraceMs = 5_000;
/**
 * How long a request may take after a deadline, in milliseconds: requests in progress are finished and their effects
 * are read again.
 */
const deadlineGraceMs = 30_000;

/** Without a reason, each abort would make an exception with its stack. */
const released = 'released';

export function createCutoff(clock: Clock): Cutoff {
  const cut = new AbortController();
  const closed = new AbortController();
  let deadline: number | undefined;
  let interrupted = false;
  return {
    signal: cut.signal,
    requestMs: () =>
      deadline === undefined ? undefined : Math.max(0, deadline - clock.now()) + deadlineGraceMs,
    setDeadline(inMs) {
      deadline = clock.now() + inMs;
    },
    isEnding: () => interrupted || (deadline !== undefined && clock.now() >= deadline),
    interrupt() {
      if (interrupted || closed.signal.aborted) return;
      interrupted = true;
      void clock.sleep(interruptGraceMs, closed.signal).then(() => {
        if (!closed.signal.aborted) cut.abort();
      });
    },
    close: () => closed.abort(released),
  };
}
