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
const numberSign = 0x23;
const mayBeError = /^#[A-Z]+[!?/]|^#NV/;

/**
 * Finds the rows of a table without making their cells. Undefined if a row is not one line, has too few or too many
 * cells, or contains what may be the error of a spreadsheet: then another reader explains.
 */
export function plainCsvRows(text: string, delimiter: string): PlainRows | undefined {
  const separator = delimiter.charCodeAt(0);
  const starts: number[] = [];
  let width = -1;
  for (let at = 0; at < text.length; ) {
    const start = at;
    let cells = 1;
    let isBlank = true;
    let isCell = true;
    for (; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === lineFeed) break;
      if (unit === numberSign && mayBeError.test(text.slice(at, at + 8))) return undefined;
      if (unit === carriageReturn && text.charCodeAt(at + 1) !== lineFeed) return undefined;
      if (unit === separator) {
        cells += 1;
        isCell = true;
      } else if (unit === quote) {
        at = isCell ? endOfQuoted(text, at, separator) : -1;
        if (at === -1) return undefined;
        isBlank = false;
        isCell = false;
      } else if (unit !== blank && unit !== carriageReturn) {
        isBlank = false;
        isCell = false;
      } else if (unit === blank) isCell = false;
    }
    at += 1;
    if (isBlank) continue;
    if (width === -1) width = cells;
    if (cells !== width) return undefined;
    starts.push(start);
  }
  if (width === -1) return undefined;
  const offsets = new Uint32Array(starts);
  // Several cells of one row are read one after another, so the ends of those before the last one are kept.
  const ends = new Uint32Array(width);
  let known = -1;
  let found = 0;
  const spanIn = (start: number, column: number): Span => {
    if (known !== start) found = 0;
    known = start;
    for (; found <= column; found += 1)
      ends[found] = endOfCell(text, found === 0 ? start : (ends[found - 1] as number) + 1, separator);
    return {
      start: column === 0 ? start : (ends[column - 1] as number) + 1,
      end: ends[column] as number,
    };
  };
  const spanAt = (row: number, column: number) => spanIn(offsets[row + 1] as number, column);
  const cut = ({ start, end }: Span): string => {
    const cell = text.slice(start, end);
    return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell.trim();
  };
  return {
    columns: Array.from({ length: width }, (_, column) => cut(spanIn(offsets[0] as number, column))),
    count: offsets.length - 1,
    cellAt: (row, column) => cut(spanAt(row, column)),
    spanAt,
  };
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

/** The offset of the separator or the line break after a cell. */
function endOfCell(text: string, start: number, separator: number): number {
  let at = text.charCodeAt(start) === quote ? endOfQuoted(text, start, separator) + 1 : start;
  for (; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === separator || unit === lineFeed || unit === carriageReturn) break;
  }
  return at;
}
