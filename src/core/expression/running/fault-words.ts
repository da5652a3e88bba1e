import type { CelError } from '@bufbuild/cel';
import { PlainFault } from './running.ts';

/** The library's messages and our own words for them. */
const words: readonly (readonly [RegExp, string])[] = [
  [/divide by zero/, 'division by zero'],
  [/modulus by zero/, 'remainder of a division by zero'],
  [/overflow|out of range/, 'a number does not fit in 64 bits'],
  [/^field not found: (.*)$/s, 'the map has no key "$1"'],
  [/^map key conflict: (.*)$/s, 'a map has the key "$1" twice'],
  [/convert string '(.*)' to bool/s, 'bool("$1"): the string is neither true nor false'],
  [/parse timestamp/, 'timestamp(…): the string is not a time such as "2026-01-31T00:00:00Z"'],
  [/duration/i, 'duration(…): the string is not a duration such as "36h"'],
  [/call stack/, 'the value is nested too deeply'],
];

export function faultWords(error: CelError): string {
  if (error.cause instanceof PlainFault) return error.message;
  for (const [pattern, plain] of words) {
    const found = pattern.exec(error.message);
    if (found !== null) return plain.replace('$1', () => found[1] ?? '');
  }
  return error.message;
}
