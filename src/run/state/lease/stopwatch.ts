import { uptime } from 'node:os';

/** Milliseconds since it was started, also while the process was frozen or the machine asleep. */
export type Stopwatch = () => number;

/**
 * Of two clocks that no one can set, the one that says more: the process's own stands still while the machine sleeps,
 * the machine's uptime is coarse.
 */
export function startStopwatch(): Stopwatch {
  const process = performance.now();
  const machine = uptime();
  return () => Math.max(performance.now() - process, (uptime() - machine) * 1000);
}
