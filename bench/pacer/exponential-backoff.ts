import type { Sender } from './simulate.ts';
import { workers } from './workers.ts';

const firstMs = 100;
const mostMs = 20_000;

/** So many at once; a refused call waits a random part of a time that doubles (full jitter). */
export function exponentialBackoff(count: number): Sender {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return workers(count, (attempt) => random() * Math.min(mostMs, firstMs * 2 ** attempt));
}
