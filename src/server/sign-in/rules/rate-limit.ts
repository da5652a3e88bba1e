/** Requests that one caller may send: at once, and in the long run. */
export interface CallerLimit {
  readonly burst: number;
  readonly perSecond: number;
}

export interface RateLimiter {
  /** Takes one request of a caller; how many milliseconds the caller must wait, 0 if the request may go on. */
  take(caller: string): number;
}

/** The callers that are remembered; the ones that have been quiet longest go first. */
const mostCallers = 10_000;

/** A token bucket for each caller, in the memory of this process. */
export function createRateLimiter({ burst, perSecond }: CallerLimit, now: () => number): RateLimiter {
  const buckets = new Map<string, { level: number; at: number }>();
  return {
    take(caller) {
      const at = now();
      const known = buckets.get(caller);
      const level =
        known === undefined ? burst : Math.min(burst, known.level + ((at - known.at) / 1_000) * perSecond);
      const waitMs = level >= 1 ? 0 : Math.ceil(((1 - level) / perSecond) * 1_000);
      buckets.delete(caller);
      buckets.set(caller, { level: waitMs === 0 ? level - 1 : level, at });
      if (buckets.size > mostCallers) buckets.delete(buckets.keys().next().value ?? '');
      return waitMs;
    },
  };
}
