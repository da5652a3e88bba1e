import type { Span } from '../sources/source-text.ts';

/** A table in which each row is one line. */
export interface PlainRows {
  readonly columns: readonly string[];
  readonly count: number;
  /** The text of a cell without white space at its ends and without quotation marks. */
  cellAt(row: number, column: number): string;
  spanAt(row: number, column: number): Span;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;
const blank = 0x20;
const mayBeError = /^#[A-Z]+[!?/]|^#NV/;

/**
 * Finds the rows of a table without creating their cells. Undefined if a row is not one line, has too few or too many
 * cells, or contains what may be the error of a spreadsheet: then another reader explains.
 */
export function plainCsvRows(text: string, delimiter: string): PlainRows | undefined {
  const separator = delimiter.charCodeAt(0);
  const isOrdinary = new Uint8Array(0x10000).fill(1);
  for (const special of `${delimiter}\n\r "#`) isOrdinary[special.charCodeAt(0)] = 0;
  const { length } = text;
  const starts: number[] = [];
  let ends = new Uint32Array(1024);
  let cells = 0;
  let width = 0;
  for (let at = 0; at < length; at += 1) {
    const start = at;
    const before = cells;
    let isBlank = true;
    for (; ; at += 1) {
      const unit = at < length ? text.charCodeAt(at) : lineFeed;
      if (isOrdinary[unit] === 1) {
        isBlank = false;
      } else if (unit === separator || unit === lineFeed || unit === carriageReturn) {
        if (cells === ends.length) ends = doubled(ends);
        ends[cells] = at;
        cells += 1;
        if (unit === separator) continue;
        if (unit === carriageReturn) at += 1;
        if (unit === carriageReturn && text.charCodeAt(at) !== lineFeed) return undefined;
        break;
      } else if (unit !== blank) {
        if (unit === quote) {
          if (at !== start && text.charCodeAt(at - 1) !== separator) return undefined;
          at = endOfQuoted(text, at, separator);
          if (at === -1) return undefined;
        } else if (mayBeError.test(text.slice(at, at + 8))) return undefined;
        isBlank = false;
      }
    }
    if (isBlank) {
      cells = before;
      continue;
    }
    if (width === 0) width = cells;
    if (cells - before !== width) return undefined;
    starts.push(start);
  }
  if (width === 0) return undefined;
  const rowStarts = new Uint32Array(starts);
  const cellEnds = ends;
  const spanAt = (row: number, column: number): Span => {
    const cell = (row + 1) * width + column;
    const start = column === 0 ? rowStarts[row + 1] : (cellEnds[cell - 1] as number) + 1;
    return { start: start as number, end: cellEnds[cell] as number };
  };
  const cellAt = (row: number, column: number): string => {
    const { start, end } = spanAt(row, column);
    const first = text.charCodeAt(start);
    if (first === quote) return text.slice(start + 1, end - 1).replaceAll('""', '"');
    const cell = text.slice(start, end);
    return isVisible(first) && isVisible(text.charCodeAt(end - 1)) ? cell : cell.trim();
  };
  return {
    columns: Array.from({ length: width }, (_, column) => cellAt(-1, column)),
    count: rowStarts.length - 1,
    cellAt,
    spanAt,
  };
}

function doubled(offsets: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * offsets.length);
  larger.set(offsets);
  return larger;
}

function isVisible(unit: number): boolean {
  return unit > blank && unit < 0x7f;
}

/** The offset of the closing quotation mark; -1 if it is not the last character of its cell, or on another line. */
function endOfQuoted(text: string, start: number, separator: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === lineFeed) return -1;
    if (unit !== quote) continue;
    if (text.charCodeAt(at + 1) === quote) {
      at += 1;
      continue;
    }
    const next = text.charCodeAt(at + 1);
    const isEnd = Number.isNaN(next) || next === separator || next === lineFeed || next === carriageReturn;
    return isEnd ? at : -1;
  }
  return -1;
}
