import { exitCodes } from '../../run/apply/exit-code.ts';
import { interruptGraceMs } from '../../service/client/cutoff.ts';
import type { Context } from './context.ts';
import type { Io } from './io.ts';

/** Handles SIGINT and SIGTERM until `end` is called. */
export interface StopSignal {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Several signals within this time, in milliseconds, count as one: a shell sends a signal to the whole group, and a
 * runner repeats it.
 */
const oneSignalMs = 1_000;

/**
 * The first signal stops the command at a safe point, and requests in flight get a few seconds to finish; a second one
 * exits immediately. `keeps` describes what happens to the work so far: "what has arrived is kept".
 */
export function hearStop(context: Context, keeps?: string): StopSignal {
  const { io, cutoff } = context;
  const stop = new AbortController();
  let firstAt = 0;
  const end = io.onInterrupt(() => {
    const now = io.clock.now();
    if (stop.signal.aborted) {
      if (now - firstAt >= oneSignalMs) io.exitNow(exitCodes.interrupted);
      return;
    }
    firstAt = now;
    context.log(
      `Stopping at a safe point${keeps === undefined ? '' : `: ${keeps}`}. Requests in flight get ${interruptGraceMs / 1000} s to finish. Press Ctrl-C again to exit at once.`,
    );
    stop.abort();
    cutoff.interrupt();
  });
  return { signal: stop.signal, end };
}

/** Signals, and whether a command handles them itself. */
export interface HeardSignals {
  /** The `io` for commands. */
  readonly io: Io;
  readonly outside: Io;
  readonly isHeard: () => boolean;
}

export function heardSignals(outside: Io): HeardSignals {
  let listeners = 0;
  const io: Io = {
    ...outside,
    onInterrupt(handler) {
      listeners += 1;
      const unhear = outside.onInterrupt(handler);
      return () => {
        listeners -= 1;
        unhear();
      };
    },
  };
  return { io, outside, isHeard: () => listeners > 0 };
}
