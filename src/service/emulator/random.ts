/** A small pseudo-random number generator: the same seed gives the same numbers on every platform. */
export interface Random {
  /** At least 0 and less than 1. */
  fraction(): number;
  /** A whole number from 0 to less than `bound`. */
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

/** The last step of Mulberry32. */
function mix(state: number): number {
  let bits = Math.imul(state ^ (state >>> 15), state | 1);
  bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
  return ((bits ^ (bits >>> 14)) >>> 0) / 0x100000000;
}

/** The number for one index, independent of earlier calls. */
export function randomAt(seed: number, index: number): number {
  return mix((Math.imul(seed ^ (index + 1), 0x9e3779b1) + Math.imul(index, 0x6d2b79f5)) >>> 0);
}
