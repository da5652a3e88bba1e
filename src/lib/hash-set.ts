/** With a table that is at most half full, chance never makes a longer way to a free place. */
const mostSteps = 200;

export interface HashSet {
  /** False where it may be in the set already. */
  add(hash: number): boolean;
}

/**
 * For up to `count` whole numbers below 2^52, in an open table of 32 bits each: a third of the time that a `Set` takes of
 * 100,000 texts. Hashes that are made to collide are soon taken for equal.
 */
export function createHashSet(count: number): HashSet {
  const seen = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
  const mask = seen.length - 1;
  return {
    add(hash) {
      const mark = (hash / 0x100000) >>> 0 || 1;
      let place = hash & mask;
      for (let steps = 0; seen[place] !== 0; steps += 1) {
        if (seen[place] === mark || steps === mostSteps) return false;
        place = (place + 1) & mask;
      }
      seen[place] = mark;
      return true;
    },
  };
}
