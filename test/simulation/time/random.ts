/** Numbers that depend only on their seed. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to `below`. */
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
  isLikely(probability: number): boolean;
}

/** Mulberry32: a state of 32 bits is enough for the events of one simulation. */
export function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    pick(items) {
      if (items.length === 0) throw new RangeError('there is nothing to pick from');
      return items[below(items.length)] as (typeof items)[number];
    },
    isLikely: (probability) => next() < probability,
  };
}
