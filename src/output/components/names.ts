import { printable } from '../../core/lib/printable.ts';

/** A name in two parts: only the first can be shortened, so that the end is always visible. */
export interface CutName {
  readonly head: string;
  readonly tail: string;
  readonly whole: string;
}

const shortest = 24;
const tailLength = 8;
/** Combining marks have no width: a name may have thousands of them. */
const longest = 256;

/** A name made printable, with a head that may be cut in the middle. */
export function cutName(name: string): CutName {
  const whole = printable(name);
  const letters = Array.from(
    whole.length > 4 * longest ? `${whole.slice(0, 2 * longest)}…${whole.slice(-longest)}` : whole,
  );
  if (letters.length <= shortest) return { head: letters.join(''), tail: '', whole };
  const kept =
    letters.length > longest
      ? [...letters.slice(0, longest / 2), '…', ...letters.slice(-longest / 2)]
      : letters;
  return { head: kept.slice(0, -tailLength).join(''), tail: kept.slice(-tailLength).join(''), whole };
}

/** Does the name begin or end with white space, which must be made visible? */
export function hasEdges(name: string): boolean {
  return /^\s|\s$/.test(name);
}
