import type { Problem } from '../../../core/problem/problem.ts';

/** Whether a receiver accepted a message, and its response. */
export type Sent<T = null> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly problems: readonly Problem[];
      /** How long the receiver asks to wait, in milliseconds. */
      readonly askedMs?: number;
    };

const firstRetryMs = 30_000;
const longestRetryMs = 3_600_000;
/** After these attempts, over about five hours, the messages are given up until someone sends them again. */
const mostAttempts = 12;

/** The time before the next attempt, at least as long as the receiver requested; null after the last. */
export function retryAfter(attempts: number, askedMs = 0): number | null {
  if (attempts >= mostAttempts) return null;
  const usual = firstRetryMs * 2 ** Math.max(0, attempts - 1);
  return Math.min(longestRetryMs, Math.max(usual, askedMs));
}
