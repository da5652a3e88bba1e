import type { Columns } from './columns.ts';

/** Where the cells of one row stand that says no more than an id, a name and a group; -1 for what it leaves empty. */
export interface PlainRow {
  idStart: number;
  idEnd: number;
  nameStart: number;
  nameEnd: number;
  groupStart: number;
  groupEnd: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const quote = 0x22;
const numberSign = 0x23;
const zero = 0x30;
const nine = 0x39;
const tilde = 0x7e;

/** The fewest digits of an id that a spreadsheet may have rounded. */
const roundedLength = 16;
/** The most digits that surely are an integer of 64 bits. */
const safeLength = 18;

/**
 * Reads the row that begins at an offset of a text into `row`, and gives where the next one begins; -1 for a row that
 * is not quite plain, which may be sound all the same. One look at each character: a sixth of the time of `readCommonRow`
 * and the checks behind it.
 */
export function plainRowReader(
  text: string,
  delimiter: string,
  columns: Columns,
  row: PlainRow,
): (start: number) => number {
  const separator = delimiter.charCodeAt(0);
  const last = columns.length - 1;
  const at = { id: columns.indexOf('id'), name: columns.indexOf('name'), group: columns.indexOf('group') };

  return (start) => {
    row.idStart = row.nameStart = row.groupStart = -1;
    let from = start;
    for (let column = 0; ; column += 1) {
      const end = endOfPlainCell(text, from, separator);
      const unit = end === text.length ? lineFeed : text.charCodeAt(end);
      if ((unit === separator) !== column < last) return -1;
      if (end > from) {
        if (isOddEdge(text.charCodeAt(from)) || text.charCodeAt(end - 1) === blank) return -1;
        if (column === at.id) {
          if (!isPlainId(text, from, end)) return -1;
          row.idStart = from;
          row.idEnd = end;
        } else if (column === at.name) {
          row.nameStart = from;
          row.nameEnd = end;
        } else if (column === at.group) {
          row.groupStart = from;
          row.groupEnd = end;
        } else if (columns[column] !== undefined) return -1;
      }
      from = end + 1;
      if (unit === separator) continue;
      if (row.idStart === -1 && row.nameStart === -1) return -1;
      if (unit === lineFeed) return Math.min(from, text.length);
      return unit === carriageReturn && text.charCodeAt(from) === lineFeed ? from + 1 : -1;
    }
  };
}

/** Up to the separator, or to what no plain cell has in it: quotation marks, tildes, and all but printable ASCII. */
function endOfPlainCell(text: string, from: number, separator: number): number {
  let end = from;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (unit === separator || unit < blank || unit >= tilde || unit === quote) break;
    end += 1;
  }
  return end;
}

/** Blanks are cut off, and a number sign begins the errors of spreadsheets. */
function isOddEdge(unit: number): boolean {
  return unit === blank || unit === numberSign;
}

/** Digits alone, in their shortest form, and none of those that may be rounded or too many. */
function isPlainId(text: string, start: number, end: number): boolean {
  const length = end - start;
  if (length > safeLength || (text.charCodeAt(start) === zero && length > 1)) return false;
  if (length >= roundedLength && text.charCodeAt(end - 1) === zero) return false;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < zero || unit > nine) return false;
  }
  return true;
}
