import type { Clock } from '../../core/lib/clock.ts';

/** Measures a current frequency. */
export interface RateMeter {
  hit(): void;
  /** Occurrences per second over the last seconds; 0 before the first measurement. */
  rate(): number;
}

const windowMs = 15_000;
/** In a shorter time, one occurrence more or less would change too much. */
const shortestMs = 1000;

export function createRateMeter(clock: Clock): RateMeter {
  const start = clock.now();
  let hits: number[] = [];
  return {
    hit() {
      const now = clock.now();
      hits.push(now);
      const [oldest = now] = hits;
      if (oldest < now - 2 * windowMs) hits = hits.filter((at) => at > now - windowMs);
    },
    rate() {
      const now = clock.now();
      const span = Math.min(windowMs, now - start);
      if (span < shortestMs) return 0;
      return (hits.filter((at) => at > now - span).length * 1000) / span;
    },
  };
}
