import { printable } from '../../lib/printable.ts';

/** The offsets of a row and of its values, without quotation marks; the end of an empty value is 0. */
export interface PlainRow {
  readonly start: number;
  readonly line: number;
  readonly idStart: number;
  readonly idEnd: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly groupStart: number;
  readonly groupEnd: number;
}

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

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const quote = 0x22;
const apostrophe = 0x27;
const zero = 0x30;
const nine = 0x39;

const largestId = Uint8Array.from('9223372036854775807', (digit) => digit.charCodeAt(0));

const kindOf = { unread: 0, id: 1, name: 2, group: 3, other: 4 } as const;

/**
 * Scans plain rows from an offset and calls `found` for each of them, always with the same object. Returns the start of
 * the first row that is not plain; that row may still be valid. A plain row has an id, a name or a group and nothing
 * else, without white space beyond ASCII and without invisible characters. One loop reads each byte once.
 */
export function plainRowScanner(
  units: Uint8Array,
  delimiter: string,
  columns: readonly (string | undefined)[],
  found: (row: PlainRow) => void,
): (from: number, line: number) => number {
  const width = columns.length;
  const kinds = Uint8Array.from(columns, (column) => kindOfColumn(column));
  const separator = delimiter.charCodeAt(0);
  const isBare = ordinaryUnits(separator);
  const isQuoted = ordinaryUnits(quote);
  const { length } = units;
  const row = {
    start: 0,
    line: 0,
    idStart: 0,
    idEnd: 0,
    nameStart: 0,
    nameEnd: 0,
    groupStart: 0,
    groupEnd: 0,
  } satisfies PlainRow;

  return (from, line) => {
    row.line = line;
    for (let start = from; start < length; row.line += 1) {
      row.start = start;
      row.idEnd = row.nameEnd = row.groupEnd = 0;
      let at = start;
      let column = 0;
      for (; column < width; column += 1) {
        const hasQuotes = units[at] === quote;
        const cell = hasQuotes ? at + 1 : at;
        const end = endOfCell(units, cell, hasQuotes ? isQuoted : isBare);
        if (hasQuotes && units[end] !== quote) return start;
        if (end > cell) {
          if (units[cell] === blank || units[cell] === apostrophe || units[end - 1] === blank) return start;
          const kind = kinds[column];
          if (kind === kindOf.other || (kind === kindOf.id && !isPlainId(units, cell, end))) return start;
          if (kind === kindOf.id) {
            row.idStart = cell;
            row.idEnd = end;
          } else if (kind === kindOf.name) {
            row.nameStart = cell;
            row.nameEnd = end;
          } else if (kind === kindOf.group) {
            row.groupStart = cell;
            row.groupEnd = end;
          }
        }
        at = hasQuotes ? end + 1 : end;
        if (units[at] !== separator) break;
        at += 1;
      }
      if (column !== width - 1 || (row.idEnd === 0 && row.nameEnd === 0)) return start;
      if (units[at] === carriageReturn) at += 1;
      if (at < length && units[at] !== lineFeed) return start;
      found(row);
      start = at + 1;
    }
    return length;
  };
}

function endOfCell(units: Uint8Array, from: number, isOrdinary: Uint8Array): number {
  const { length } = units;
  let at = from;
  while (at < length && isOrdinary[units[at] as number] === 1) at += 1;
  return at;
}

function kindOfColumn(column: string | undefined): number {
  if (column === undefined) return kindOf.unread;
  return column === 'id' || column === 'name' || column === 'group' ? kindOf[column] : kindOf.other;
}

/**
 * By byte: 1 for visible characters beyond ASCII and for printable ASCII, without the separator, quotation marks, number signs (they begin the errors of
 * spreadsheets) and tildes (temporary names contain them).
 */
function ordinaryUnits(separator: number): Uint8Array {
  const isOrdinary = new Uint8Array(256).fill(1, 0x20, 0x7e);
  isOrdinary[visible] = 1;
  for (const special of ['"', '#']) isOrdinary[special.charCodeAt(0)] = 0;
  isOrdinary[separator] = 0;
  return isOrdinary;
}

/** A positive 64-bit integer in its shortest form. */
function isPlainId(units: Uint8Array, start: number, end: number): boolean {
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
