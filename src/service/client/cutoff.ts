import type { Clock } from '../../core/lib/clock.ts';

/** Shortens requests when the work has to end: after an interrupt all of them, after a deadline each by itself. */
export interface Cutoff {
  /** Aborted once the grace after an interrupt is over: from then on nothing is sent, and nothing is awaited. */
  readonly signal: AbortSignal;
  /** Milliseconds that a request may take which starts now; undefined without a deadline. */
  requestMs(): number | undefined;
  /** Gives requests a grace after this many milliseconds from now. */
  setDeadline(inMs: number): void;
  /** The deadline has passed, or an interrupt came: what timed out is not sent again. */
  isEnding(): boolean;
  interrupt(): void;
  /** Lets go of the timer. */
  close(): void;
}

/** How long requests in flight may take after an interrupt, in milliseconds. */
export const interruptGraceMs = 5_000;
/** How long a request may take after a deadline, in milliseconds: what has begun is finished and read again. */
const deadlineGraceMs = 30_000;

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
    close: () => closed.abort(),
  };
}
