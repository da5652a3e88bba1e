/** Places by the hashes of what stands at them: a quarter of the memory of a `Map` of texts, and no text is kept. */
export interface HashIndex {
  /** The first place with this hash, and the next one after a place; -1 where there is none. */
  first(hash: number): number;
  next(place: number): number;
  /** Have any two places one hash? */
  readonly hasAlike: boolean;
}

/** Of whole numbers up to 2^52, which it keeps; a place with one below zero is not to be found. */
export function createHashIndex(hashes: Float64Array): HashIndex {
  const count = hashes.length;
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, count)));
  const mask = size - 1;
  // Both count from 1, so that 0 is none.
  const heads = new Int32Array(size);
  const chain = new Int32Array(count);
  let hasAlike = false;
  // From the last to the first, so that places come out in their order.
  for (let place = count - 1; place >= 0; place -= 1) {
    const hash = hashes[place] as number;
    if (hash < 0) continue;
    const slot = hash & mask;
    const head = heads[slot] as number;
    for (let other = head; other !== 0 && !hasAlike; other = chain[other - 1] as number) {
      hasAlike = hashes[other - 1] === hash;
    }
    chain[place] = head;
    heads[slot] = place + 1;
  }
  const from = (start: number, hash: number): number => {
    let at = start;
    while (at !== 0 && hashes[at - 1] !== hash) at = chain[at - 1] as number;
    return at - 1;
  };
  return {
    first: (hash) => from(heads[hash & mask] as number, hash),
    next: (place) => from(chain[place] as number, hashes[place] as number),
    hasAlike,
  };
}
