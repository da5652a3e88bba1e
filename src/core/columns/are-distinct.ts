import { hashOf, type TextSpans } from './text-hash.ts';

/**
 * In a table that is at most half full, finding a free slot takes more steps than this only if hashes were made to
 * collide.
 */
const mostSteps = 200;

/**
 * Returns false if two of these whole numbers below 2^52 may be equal; negative ones are ignored. Numbers that were
 * chosen to collide count as equal. An open table of 32-bit values is faster than a `Set` of texts.
 */
export function areHashesDistinct(hashes: Float64Array): boolean {
  const count = hashes.length;
  const seen = new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 2)));
  const mask = seen.length - 1;
  for (let index = 0; index < count; index += 1) {
    const hash = hashes[index] as number;
    if (hash < 0) continue;
    const mark = (hash / 0x100000) >>> 0 || 1;
    let slot = hash & mask;
    for (let steps = 0; seen[slot] !== 0; steps += 1) {
      if (seen[slot] === mark || steps === mostSteps) return false;
      slot = (slot + 1) & mask;
    }
    seen[slot] = mark;
  }
  return true;
}

/** Of texts that are no longer than this, such as ids. */
const longest = 20;

/**
 * Is each of these texts greater than all before it of its length? Then no two are equal. Lists mostly have their ids in
 * this order, and comparing each with the one before is faster than hashes. A text that ends at offset 0 is ignored.
 */
export function areInOrder(bytes: Uint8Array, { starts, ends, count }: TextSpans): boolean {
  /** By length: the index of the last text. */
  const latest = new Int32Array(longest + 1).fill(-1);
  for (let index = 0; index < count; index += 1) {
    const start = starts[index] as number;
    const end = ends[index] as number;
    if (end === 0) continue;
    if (end - start > longest) return false;
    const before = latest[end - start] as number;
    latest[end - start] = index;
    if (before === -1) continue;
    let at = start;
    let other = starts[before] as number;
    while (at < end && bytes[at] === bytes[other]) {
      at += 1;
      other += 1;
    }
    if (at === end || (bytes[at] as number) < (bytes[other] as number)) return false;
  }
  return true;
}

/** Returns false if two of these texts may be equal. Texts made to collide only cost a second check. */
export function areSurelyDistinct(texts: readonly string[]): boolean {
  return areHashesDistinct(Float64Array.from(texts, (text) => hashOf(text)));
}
