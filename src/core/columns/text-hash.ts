const highStart = 0x811c9dc5;
const lowStart = 0x1b873593;
const highFactor = 0x01000193;
const lowFactor = 0x85ebca6b;

/**
 * Two FNV-1a hashes in one number, with 32 and 20 bits. With `lowerAscii`, returns the hash of the text with `a` to `z`
 * in place of `A` to `Z`, or -1 for a text that is not ASCII.
 */
export function hashOf(text: string, lowerAscii = false): number {
  let high = highStart;
  let low = lowStart;
  for (let at = 0; at < text.length; at += 1) {
    let unit = text.charCodeAt(at);
    if (lowerAscii && unit >= 0x41) {
      if (unit > 0x7f) return -1;
      if (unit <= 0x5a) unit += 0x20;
    }
    high = Math.imul(high ^ unit, highFactor);
    low = Math.imul(low ^ unit, lowFactor);
  }
  return (high >>> 0) * 0x100000 + ((low ^ (low >>> 15)) & 0xfffff);
}

/** Byte offsets of texts, each from its first byte to just after its last. */
export interface TextSpans {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  readonly count: number;
}

/**
 * `hashOf` ASCII texts in bytes, without making the texts; -1 for a text that is not ASCII or that ends at offset 0.
 * One loop is faster than a call for each text: a process does this once, and V8 compiles a long loop sooner
 * than a function that is called often.
 */
export function hashesOf(bytes: Uint8Array, { starts, ends, count }: TextSpans, lowerAscii = false) {
  const hashes = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const end = ends[index] as number;
    let high = highStart;
    let low = lowStart;
    let seen = 0;
    for (let at = starts[index] as number; at < end; at += 1) {
      let byte = bytes[at] as number;
      seen |= byte;
      if (lowerAscii && byte >= 0x41 && byte <= 0x5a) byte += 0x20;
      high = Math.imul(high ^ byte, highFactor);
      low = Math.imul(low ^ byte, lowFactor);
    }
    hashes[index] =
      end === 0 || seen > 0x7f ? -1 : (high >>> 0) * 0x100000 + ((low ^ (low >>> 15)) & 0xfffff);
  }
  return hashes;
}

/** The text in NFC and lower case. Two texts that fold alike differ only in letter case and normalization. */
export function foldText(text: string): string {
  return (beyondAscii.test(text) ? text.normalize('NFC') : text).toLowerCase();
}

/** `hashOf` the folded text. Pure ASCII is hashed without making the folded text, which is faster. */
export function hashOfFolded(text: string): number {
  const hash = hashOf(text, true);
  return hash === -1 ? hashOf(foldText(text)) : hash;
}

const beyondAscii = /[^\0-\x7f]/;
