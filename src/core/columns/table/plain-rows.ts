import { endOfUnits, isPlainId, ordinaryUnits } from './byte-units.ts';
import { type PlainRow, plainColumns, plainRow } from './plain-row.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const quote = 0x22;
const apostrophe = 0x27;

/** Columns that are not read, and columns that plain rows leave empty. */
const unread = plainColumns.length;
const other = unread + 1;
const id = plainColumns.indexOf('id');
const name = plainColumns.indexOf('name');

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
  // Number signs begin the errors of spreadsheets.
  const isBare = ordinaryUnits(`${delimiter}"#`);
  const isQuoted = ordinaryUnits('"#');
  const separator = delimiter.charCodeAt(0);
  const { length } = units;
  const row = plainRow();
  const { starts, ends } = row;

  return (from, line) => {
    row.line = line;
    for (let start = from; start < length; row.line += 1) {
      ends[0] = ends[1] = ends[2] = 0;
      row.start = length;
      let at = start;
      let column = 0;
      for (; column < width; column += 1) {
        const hasQuotes = units[at] === quote;
        const cell = hasQuotes ? at + 1 : at;
        const end = endOfUnits(units, cell, hasQuotes ? isQuoted : isBare);
        if (hasQuotes && units[end] !== quote) return start;
        if (end > cell) {
          if (units[cell] === blank || units[cell] === apostrophe || units[end - 1] === blank) return start;
          const kind = kinds[column] as number;
          if (kind === other || (kind === id && !isPlainId(units, cell, end))) return start;
          if (kind < unread) {
            row.start = Math.min(row.start, at);
            starts[kind] = cell;
            ends[kind] = end;
          }
        }
        at = hasQuotes ? end + 1 : end;
        if (units[at] !== separator) break;
        at += 1;
      }
      if (column !== width - 1 || (ends[id] === 0 && ends[name] === 0)) return start;
      if (units[at] === carriageReturn) at += 1;
      if (at < length && units[at] !== lineFeed) return start;
      found(row);
      start = at + 1;
    }
    return length;
  };
}

function kindOfColumn(column: string | undefined): number {
  if (column === undefined) return unread;
  const kind = plainColumns.findIndex((each) => each === column);
  return kind === -1 ? other : kind;
}
