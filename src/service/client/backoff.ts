const firstMs = 300;
const longestMs = 10_000;

/** Exponential backoff with full jitter: the delay before retry number `attempt`, which counts from 0. */
export function backoffMs(attempt: number, random: () => number): number {
  return Math.round(random() * Math.min(longestMs, firstMs * 2 ** attempt));
}
