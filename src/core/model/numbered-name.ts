import { foldName } from './host-name.ts';

// Names that end with a number of a fixed length, such as BER-LT-042.

/** The highest number that was given to a host, for names with this prefix and this many digits. */
export interface NumberRecord {
  readonly prefix: string;
  readonly digits: number;
  readonly last: number;
}

/** The numbers that a plan gives, from first to last. */
export interface NumberRange extends NumberRecord {
  readonly first: number;
}

export const mostDigits = 9;

/** Identifies the names with this prefix and this many digits, whatever their letter case. */
export function numberKey(prefix: string, digits: number): string {
  return `${digits} ${foldName(prefix)}`;
}

export function numberedName(prefix: string, digits: number, number: number): string {
  return `${prefix}${String(number).padStart(digits, '0')}`;
}

/** The number at the end of a name; undefined if there is none, or it is too long. */
export function readNumber(name: string): { readonly key: string; readonly number: number } | undefined {
  let start = name.length;
  while (isDigit(name.charCodeAt(start - 1))) start -= 1;
  const digits = name.length - start;
  if (digits === 0 || digits > mostDigits) return undefined;
  return { key: numberKey(name.slice(0, start), digits), number: Number(name.slice(start)) };
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Both records, each with its highest number. */
export function joinNumbers(
  earlier: readonly NumberRecord[],
  later: readonly NumberRecord[],
): readonly NumberRecord[] {
  const joined = new Map<string, NumberRecord>();
  for (const { prefix, digits, last } of [...earlier, ...later]) {
    const key = numberKey(prefix, digits);
    const known = joined.get(key);
    if (known === undefined || known.last < last) joined.set(key, { prefix, digits, last });
  }
  return [...joined.values()];
}

/** The first of the ranges that begins with a number that was given already. */
export function firstTaken(
  given: readonly NumberRecord[],
  ranges: readonly NumberRange[],
): NumberRange | undefined {
  const last = new Map(given.map((each) => [numberKey(each.prefix, each.digits), each.last]));
  return ranges.find(({ prefix, digits, first }) => first <= (last.get(numberKey(prefix, digits)) ?? 0));
}
