import { printable } from '../../lib/printable.ts';

/** The byte of a non-ASCII UTF-16 unit: `odd` for white space and for what `printable` shows as a symbol. */
const visible = 0x80;
const odd = 0x7f;

/** The byte of each non-ASCII unit, or 0 until a text contains the unit. */
const bytesBeyondAscii = new Uint8Array(0x10000);
const encoder = new TextEncoder();

/** One byte for each UTF-16 unit of a well-formed text: the unit itself if it is ASCII. */
export function byteUnits(text: string): Uint8Array {
  const encoded = encoder.encode(text);
  if (encoded.length === text.length) return encoded;
  const bytes = encoded.subarray(0, text.length);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    bytes[at] = unit < 0x80 ? unit : bytesBeyondAscii[unit] || (bytesBeyondAscii[unit] = byteOf(unit));
  }
  return bytes;
}

/** Half of a surrogate pair is visible if all characters that begin with it are; then the other half needs no check. */
function byteOf(unit: number): number {
  if (unit >= 0xdc00 && unit <= 0xdfff) return visible;
  const first = unit >= 0xd800 && unit < 0xdc00 ? (unit - 0xd800) * 0x400 + 0x10000 : unit;
  const count = first === unit ? 1 : 0x400;
  for (let code = first; code < first + count; code += 1) {
    const character = String.fromCodePoint(code);
    if (printable(character) !== character || character.trim() === '') return odd;
  }
  return visible;
}

/** The end of the text that begins at an offset and has only these units. */
export function endOfUnits(units: Uint8Array, from: number, isIncluded: Uint8Array): number {
  const { length } = units;
  let at = from;
  while (at < length && isIncluded[units[at] as number] === 1) at += 1;
  return at;
}

/**
 * By byte: 1 for visible characters beyond ASCII and for printable ASCII, without these and without tildes, which
 * temporary names contain.
 */
export function ordinaryUnits(without: string): Uint8Array {
  const isOrdinary = new Uint8Array(256).fill(1, 0x20, 0x7e);
  isOrdinary[visible] = 1;
  for (const each of without) isOrdinary[each.charCodeAt(0)] = 0;
  return isOrdinary;
}

const zero = 0x30;
const nine = 0x39;

const largestId = Uint8Array.from('9223372036854775807', (digit) => digit.charCodeAt(0));

/** Is the text a positive 64-bit integer in its shortest form? */
export function isPlainId(units: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length > largestId.length || (units[start] === zero && length > 1)) return false;
  if (length === largestId.length && isAboveLargest(units, start)) return false;
  for (let at = start; at < end; at += 1) {
    const unit = units[at] as number;
    if (unit < zero || unit > nine) return false;
  }
  return true;
}

function isAboveLargest(units: Uint8Array, start: number): boolean {
  let index = 0;
  while (index < largestId.length && units[start + index] === largestId[index]) index += 1;
  return index < largestId.length && (units[start + index] as number) > (largestId[index] as number);
}
