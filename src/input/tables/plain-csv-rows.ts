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
  const starts: number[] = [];
  let width = -1;
  for (let at = 0; at < text.length; ) {
    const start = at;
    let cell = start;
    let cells = 1;
    let isBlank = true;
    for (; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (isOrdinary[unit] === 1) {
        isBlank = false;
      } else if (unit === separator) {
        cells += 1;
        cell = at + 1;
      } else if (unit === lineFeed) {
        break;
      } else if (unit === carriageReturn) {
        if (text.charCodeAt(at + 1) !== lineFeed) return undefined;
      } else if (unit !== blank) {
        if (unit === quote) {
          if (at !== cell) return undefined;
          at = endOfQuoted(text, at, separator);
          if (at === -1) return undefined;
        } else if (mayBeError.test(text.slice(at, at + 8))) return undefined;
        isBlank = false;
      }
    }
    at += 1;
    if (isBlank) continue;
    if (width === -1) width = cells;
    if (cells !== width) return undefined;
    starts.push(start);
  }
  if (width === -1) return undefined;
  const offsets = new Uint32Array(starts);
  const endOf = (start: number, column: number): number => {
    if (text.charCodeAt(start) === quote) return endOfQuoted(text, start, separator) + 1;
    if (column < width - 1) return text.indexOf(delimiter, start);
    const end = text.indexOf('\n', start);
    if (end === -1) return text.length;
    return text.charCodeAt(end - 1) === carriageReturn ? end - 1 : end;
  };
  // Several cells of one row are read one after another, so the ends of those before the last one are kept.
  const ends = new Uint32Array(width);
  let known = -1;
  let found = 0;
  const spanIn = (start: number, column: number): Span => {
    if (known !== start) found = 0;
    known = start;
    for (; found <= column; found += 1)
      ends[found] = endOf(found === 0 ? start : (ends[found - 1] as number) + 1, found);
    return {
      start: column === 0 ? start : (ends[column - 1] as number) + 1,
      end: ends[column] as number,
    };
  };
  const spanAt = (row: number, column: number) => spanIn(offsets[row + 1] as number, column);
  const cut = ({ start, end }: Span): string => {
    const first = text.charCodeAt(start);
    if (first === quote) return text.slice(start + 1, end - 1).replaceAll('""', '"');
    const cell = text.slice(start, end);
    return isVisible(first) && isVisible(text.charCodeAt(end - 1)) ? cell : cell.trim();
  };
  return {
    columns: Array.from({ length: width }, (_, column) => cut(spanIn(offsets[0] as number, column))),
    count: offsets.length - 1,
    cellAt: (row, column) => cut(spanAt(row, column)),
    spanAt,
  };
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
