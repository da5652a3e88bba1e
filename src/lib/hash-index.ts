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
  const heads = new Int32Array(size).fill(-1);
  const chain = new Int32Array(count);
  const from = (place: number, hash: number): number => {
    let at = place;
    while (at !== -1 && hashes[at] !== hash) at = chain[at] as number;
    return at;
  };
  let hasAlike = false;
  // From the last to the first, so that places come out in their order.
  for (let place = count - 1; place >= 0; place -= 1) {
    const hash = hashes[place] as number;
    if (hash < 0) continue;
    const slot = hash & mask;
    hasAlike ||= from(heads[slot] as number, hash) !== -1;
    chain[place] = heads[slot] as number;
    heads[slot] = place;
  }
  return {
    first: (hash) => from(heads[hash & mask] as number, hash),
    next: (place) => from(chain[place] as number, hashes[place] as number),
    hasAlike,
  };
}
