import { jittered, spread } from './spread.ts';

/** What the last checks of an account left. Times are in milliseconds since 1970. */
export interface CheckState {
  readonly name: string;
  /** Null before the first check. */
  readonly lastCheckAt: number | null;
  /** Checks that failed since the last success. */
  readonly attempts: number;
}

/** Lists are read at most about once in this time, by all readers together, in milliseconds. */
const listGapMs = 60_000;

const firstRetryMs = 60_000;
/**
 * The time from a failure to the next attempt, in milliseconds: it doubles with each attempt up to `mostMs`. Checks
 * wait at most for the cadence, so that the reported state of an account is current.
 */
export function backOff(name: string, attempts: number, mostMs: number): number {
  const doubled = firstRetryMs * 2 ** Math.min(attempts - 1, 16);
  return jittered(Math.min(doubled, mostMs), name, attempts);
}

/** The attempts that back-offs leave in this time, in milliseconds, with the one at its start. */
export function attemptsIn(ms: number): number {
  return 1 + Math.round(Math.log2(1 + Math.max(0, ms) / firstRetryMs));
}

/**
 * When an account is due: at its position in each window, or after its back-off. An account without a check is due at
 * once. After a requested check, a position that is less than the gap of lists away is skipped.
 */
export function dueAt({ name, lastCheckAt, attempts }: CheckState, cadenceMs: number): number {
  if (lastCheckAt === null) return 0;
  if (attempts > 0) return lastCheckAt + backOff(name, attempts, cadenceMs);
  const offset = spread(name, cadenceMs);
  const earliest = lastCheckAt + Math.min(listGapMs, cadenceMs / 2);
  return Math.ceil((earliest - offset) / cadenceMs) * cadenceMs + offset;
}
