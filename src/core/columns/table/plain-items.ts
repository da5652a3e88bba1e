import { endOfUnits, isPlainId, ordinaryUnits } from './byte-units.ts';
import { type PlainRow, plainColumns } from './plain-row.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const doubleQuote = 0x22;
const singleQuote = 0x27;

const keys = plainColumns.map((column) => Uint8Array.from(`${column}: `, (each) => each.charCodeAt(0)));
const id = plainColumns.indexOf('id');
const name = plainColumns.indexOf('name');

const isBare = ordinaryUnits('#:');
const isDoubleQuoted = ordinaryUnits('"\\');
const isSingleQuoted = ordinaryUnits("'");
const isLetter = ordinaryUnits(' !"#$%&\'()*+,-./0123456789:;<=>?@[\\]^_`{|}');
const isDigit = unitsOf('0123456789');
const isOfNumber = unitsOf('0123456789abcdefABCDEFox.+-');
/** How words with a meaning begin, such as `null` and `True`. */
const beginsWord = unitsOf('nNtTfF');
const longestWord = 'false'.length;

/** The position of a hyphen. */
interface ItemStart {
  readonly at: number;
  readonly lineStart: number;
  readonly line: number;
}

/**
 * Reads an item of a block list in YAML into `row`. Returns the start of the line after its last key, or undefined for an
 * item that is not plain; that item may still be valid, and the lines after a plain item may continue it. A plain item
 * has the keys `id`, `name` and `group` on one line each, in any order, and at least an id or a name.
 */
export function readPlainItem(units: Uint8Array, hyphen: ItemStart, row: PlainRow): number | undefined {
  const { starts, ends } = row;
  ends[0] = ends[1] = ends[2] = 0;
  let at = endOfBlanks(units, hyphen.at + 1);
  const indent = at - hyphen.lineStart;
  row.start = at;
  row.line = hyphen.line;
  while (true) {
    const key = keyAt(units, at);
    if (key === -1 || ends[key] !== 0) return undefined;
    const value = endOfBlanks(units, at + (keys[key] as Uint8Array).length);
    const mark = units[value];
    const isQuoted = mark === doubleQuote || mark === singleQuote;
    const start = isQuoted ? value + 1 : value;
    const end = endOfUnits(
      units,
      start,
      mark === doubleQuote ? isDoubleQuoted : isQuoted ? isSingleQuoted : isBare,
    );
    if (end === start || units[start] === blank || units[end - 1] === blank) return undefined;
    if (isQuoted && units[end] !== mark) return undefined;
    if (key === id ? !isPlainId(units, start, end) : !isQuoted && !isSurelyText(units, start, end))
      return undefined;
    starts[key] = start;
    ends[key] = end;
    at = isQuoted ? end + 1 : end;
    if (units[at] === carriageReturn && units[at + 1] === lineFeed) at += 1;
    if (at < units.length && units[at] !== lineFeed) return undefined;
    const line = Math.min(at + 1, units.length);
    at = endOfBlanks(units, line);
    if (at - line !== indent) return ends[id] === 0 && ends[name] === 0 ? undefined : line;
  }
}

/** An index in `plainColumns`; -1 for any other key. */
function keyAt(units: Uint8Array, at: number): number {
  for (let key = 0; key < keys.length; key += 1) {
    const text = keys[key] as Uint8Array;
    let read = 0;
    while (read < text.length && units[at + read] === text[read]) read += 1;
    if (read === text.length) return key;
  }
  return -1;
}

function endOfBlanks(units: Uint8Array, from: number): number {
  let at = from;
  while (units[at] === blank) at += 1;
  return at;
}

/** False for a text that may be a number or a word with a meaning, or that begins like neither. */
function isSurelyText(units: Uint8Array, start: number, end: number): boolean {
  const first = units[start] as number;
  if (isDigit[first] === 1) return endOfUnits(units, start, isOfNumber) < end;
  if (beginsWord[first] === 1) return end - start > longestWord;
  return isLetter[first] === 1;
}

function unitsOf(text: string): Uint8Array {
  const isIncluded = new Uint8Array(256);
  for (const each of text) isIncluded[each.charCodeAt(0)] = 1;
  return isIncluded;
}
