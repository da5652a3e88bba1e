import { uptime } from 'node:os';

/** Milliseconds since it was started, including time in which the process was frozen or the machine asleep. */
export type Stopwatch = () => number;

/**
 * The larger result of two clocks that no one can set: the process's own stops while the machine sleeps, and the
 * machine's uptime is coarse.
 */
export function startStopwatch(): Stopwatch {
  const process = performance.now();
  const machine = uptime();
  return () => Math.max(performance.now() - process, (uptime() - machine) * 1000);
}
