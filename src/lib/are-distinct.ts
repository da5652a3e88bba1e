import { createHashSet } from './hash-set.ts';
import { hashOf } from './text-hash.ts';

/**
 * False where two of these texts may be equal. `hash` gives equal numbers for texts that count as equal; texts that
 * are made to collide only cost a second look.
 */
export function areSurelyDistinct(
  texts: readonly (string | null | undefined)[],
  hash: (text: string) => number = (text) => hashOf(text),
): boolean {
  const seen = createHashSet(texts.length);
  return texts.every((text) => text === undefined || text === null || seen.add(hash(text)));
}
