import type { Io } from './io.ts';

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
