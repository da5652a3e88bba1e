import { sha256Hex } from '../../../core/lib/hash.ts';
import { memo } from '../../../core/lib/memo.ts';

/** A number from 0 up to 1 that depends only on the text. */
function shareOf(text: string): number {
  return Number.parseInt(sha256Hex(text).slice(0, 12), 16) / 2 ** 48;
}

/** Each tick evaluates all accounts. */
const shareOfAccount = memo(shareOf);

/**
 * The position of an account in the window of one cadence, in milliseconds. It never changes, so that the checks of
 * many accounts are spread evenly over the window, even after a restart.
 */
export function spread(name: string, cadenceMs: number): number {
  return Math.floor(shareOfAccount(name) * cadenceMs);
}

/** A time between 80 % and 100 % of the given one, so that accounts that failed together are not tried together. */
export function jittered(ms: number, name: string, attempt: number): number {
  return Math.round(ms * (0.8 + 0.2 * shareOf(`${attempt} ${name}`)));
}
