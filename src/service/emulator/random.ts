/** A small generator of pseudo-random numbers: the same seed gives the same numbers everywhere. */
export interface Random {
  /** At least 0 and less than 1. */
  fraction(): number;
  /** A whole number of at least 0 and less than `bound`. */
  below(bound: number): number;
  pick<T>(items: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mix(state);
  };
  const below = (bound: number): number => Math.floor(fraction() * bound);
  return { fraction, below, pick: (items) => items[below(items.length)] as (typeof items)[number] };
}

/** Mulberry32's last step. */
function mix(state: number): number {
  let bits = Math.imul(state ^ (state >>> 15), state | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 0x100000000;
}

/** The number that belongs to one index: does not depend on which were asked for before. */
export function randomAt(seed: number, index: number): number {
  return mix((Math.imul(seed ^ (index + 1), 0x9e3779b1) + Math.imul(index, 0x6d2b79f5)) >>> 0);
}
