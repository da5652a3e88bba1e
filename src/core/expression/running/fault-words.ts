import type { CelError } from '@bufbuild/cel';
import { PlainFault } from './running.ts';

/** What the library says, and how we say it. */
const words: readonly (readonly [RegExp, string])[] = [
  [/divide by zero/, 'it divides by zero'],
  [/modulus by zero/, 'it takes the remainder of a division by zero'],
  [/overflow|out of range/, 'a number does not fit into 64 bits'],
  [/^field not found: (.*)$/s, 'the map has no key "$1"'],
  [/^map key conflict: (.*)$/s, 'a map has the key "$1" twice'],
  [/convert string '(.*)' to bool/s, 'bool("$1"): that is neither true nor false'],
  [/parse timestamp/, 'timestamp(…): that is no moment such as "2026-01-31T00:00:00Z"'],
  [/duration/i, 'duration(…): that is no length of time such as "36h"'],
  [/call stack/, 'it nests too deeply'],
];

export function faultWords(error: CelError): string {
  if (error.cause instanceof PlainFault) return error.message;
  for (const [pattern, plain] of words) {
    const found = pattern.exec(error.message);
    if (found !== null) return plain.replace('$1', () => found[1] ?? '');
  }
  return error.message;
}
