import type { Sender } from './simulate.ts';
import { workers } from './workers.ts';

/** The common script: a fixed number in parallel, each refused call again after a second. */
export function fixedConcurrency(count: number): Sender {
  return workers(count, () => 1000);
}
