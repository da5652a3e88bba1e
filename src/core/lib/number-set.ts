/** A set of whole numbers below 2^32, in a fraction of the memory of a `Set`. */
export interface NumberSet {
  readonly isEmpty: () => boolean;
  readonly add: (number: number) => void;
  readonly has: (number: number) => boolean;
}

const fewest = 1024;
/** The golden ratio in 32 bits: it spreads numbers that differ in few bits over all slots. */
const spread = 0x9e3779b1;

export function createNumberSet(): NumberSet {
  // 0 is a free slot, so the number 0 has its own flag.
  let slots = new Uint32Array(fewest);
  let used = 0;
  let hasZero = false;

  /** The slot of the number, or the free slot for it. */
  function slotOf(number: number): number {
    const mask = slots.length - 1;
    const hash = Math.imul(number, spread);
    let at = (hash ^ (hash >>> 15)) & mask;
    while (slots[at] !== 0 && slots[at] !== number) at = (at + 1) & mask;
    return at;
  }

  return {
    isEmpty: () => used === 0 && !hasZero,
    add(number) {
      if (number === 0) {
        hasZero = true;
        return;
      }
      const slot = slotOf(number);
      if (slots[slot] === number) return;
      slots[slot] = number;
      used += 1;
      if (used * 2 <= slots.length) return;
      const before = slots;
      slots = new Uint32Array(before.length * 2);
      for (const each of before) if (each !== 0) slots[slotOf(each)] = each;
    },
    has: (number) => (number === 0 ? hasZero : slots[slotOf(number)] === number),
  };
}
