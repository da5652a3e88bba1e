/** Finds indexes by the hashes of their values, in less memory than a `Map` of texts. It keeps no text. */
export interface HashIndex {
  /**
   * `first` returns the first index with this hash, `next` the next one with the same hash as an index; -1 for none.
   */
  first(hash: number): number;
  next(index: number): number;
  /** Do any two indexes have the same hash? */
  readonly hasAlike: boolean;
}

/** Takes whole numbers up to 2^52, and keeps the array. An index with a negative hash is never found. */
export function createHashIndex(hashes: Float64Array): HashIndex {
  const count = hashes.length;
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, count)));
  const mask = size - 1;
  // Both count from 1, so 0 means none.
  const heads = new Int32Array(size);
  const chain = new Int32Array(count);
  let hasAlike = false;
  // Goes from the last to the first, so that lookups return indexes in order.
  for (let index = count - 1; index >= 0; index -= 1) {
    const hash = hashes[index] as number;
    if (hash < 0) continue;
    const slot = hash & mask;
    const head = heads[slot] as number;
    for (let other = head; other !== 0 && !hasAlike; other = chain[other - 1] as number) {
      hasAlike = hashes[other - 1] === hash;
    }
    chain[index] = head;
    heads[slot] = index + 1;
  }
  const from = (start: number, hash: number): number => {
    let at = start;
    while (at !== 0 && hashes[at - 1] !== hash) at = chain[at - 1] as number;
    return at - 1;
  };
  return {
    first: (hash) => from(heads[hash & mask] as number, hash),
    next: (index) =>
      (hashes[index] as number) < 0 ? -1 : from(chain[index] as number, hashes[index] as number),
    hasAlike,
  };
}
