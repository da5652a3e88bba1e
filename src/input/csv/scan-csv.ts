import type { Span } from '../sources/source-text.ts';
import { fromFormulaCell } from './formula-cell.ts';

/** The rows of a table that are not blank (RFC 4180). Only offsets are kept, and cells are cut out of the text. */
export interface ScannedRows {
  readonly count: number;
  /** The row number in a spreadsheet, from 1: a cell may span several lines. */
  numberOf(row: number): number;
  spanOf(row: number): Span;
  widthOf(row: number): number;
  /** The text of a cell with its quotation marks, without white space around it. */
  cellSpan(row: number, column: number): Span;
  textAt(row: number, column: number): string;
}

/** Where a text stops being a table. Rows and columns count from 1. */
export interface CsvMistake {
  readonly kind: 'mark-in-cell' | 'text-after-marks' | 'open-marks';
  readonly cellStart: number;
  readonly offset: number;
  readonly row: number;
  readonly column: number;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = 0x20;
const quote = 0x22;

/** Finds the cells of a table. White space around an unquoted cell is not part of it. */
export function scanCsv(text: string, delimiter: string): ScannedRows | CsvMistake {
  const separator = delimiter.charCodeAt(0);
  const { length } = text;
  /** The offsets where cells end, and for each row its number, its start and the index of its first cell. */
  const ends: number[] = [];
  const numbers: number[] = [];
  const starts: number[] = [];
  const firsts: number[] = [];
  const endsCell = (unit: number) => unit === separator || unit === lineFeed || unit === carriageReturn;
  let at = 0;
  for (let number = 1; at < length; number += 1) {
    const start = at;
    const first = ends.length;
    let hasText = false;
    for (;;) {
      const cellStart = at;
      let fault: CsvMistake['kind'] | undefined;
      if (text.charCodeAt(at) === quote) {
        const end = endOfQuoted(text, at);
        if (end !== -1) at = end;
        if (end === -1) fault = 'open-marks';
        else if (at < length && !endsCell(text.charCodeAt(at))) fault = 'text-after-marks';
        hasText ||= at - cellStart > 2;
      } else {
        for (; at < length; at += 1) {
          const unit = text.charCodeAt(at);
          if (unit === quote) fault = 'mark-in-cell';
          if (unit === quote || endsCell(unit)) break;
        }
        hasText ||= text.slice(cellStart, at).trim() !== '';
      }
      if (fault !== undefined)
        return { kind: fault, cellStart, offset: at, row: number, column: ends.length - first + 1 };
      ends.push(at);
      if (at === length || text.charCodeAt(at) !== separator) break;
      at += 1;
    }
    if (hasText) {
      numbers.push(number);
      starts.push(start);
      firsts.push(first);
    } else ends.length = first;
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  firsts.push(ends.length);
  const endOf = (cell: number) => ends[cell] as number;
  const firstOf = (row: number) => firsts[row] as number;

  const cellSpan = (row: number, column: number): Span => {
    const cell = firstOf(row) + column;
    const start = column === 0 ? (starts[row] as number) : endOf(cell - 1) + 1;
    const end = endOf(cell);
    if (start === end || (isVisible(text.charCodeAt(start)) && isVisible(text.charCodeAt(end - 1))))
      return { start, end };
    const raw = text.slice(start, end);
    const trimmedStart = start + raw.length - raw.trimStart().length;
    return { start: trimmedStart, end: trimmedStart + raw.trim().length };
  };
  return {
    count: numbers.length,
    numberOf: (row) => numbers[row] as number,
    spanOf: (row) => ({ start: starts[row] as number, end: endOf(firstOf(row + 1) - 1) }),
    widthOf: (row) => firstOf(row + 1) - firstOf(row),
    cellSpan,
    textAt(row, column) {
      const { start, end } = cellSpan(row, column);
      const isQuoted = start < end && text.charCodeAt(start) === quote;
      return fromFormulaCell(
        isQuoted ? text.slice(start + 1, end - 1).replaceAll('""', '"') : text.slice(start, end),
      );
    },
  };
}

function isVisible(unit: number): boolean {
  return unit > blank && unit < 0x7f;
}

/** The offset behind the closing quotation mark; -1 if there is none. Two marks stand for one of them. */
function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; ; at += 2) {
    at = text.indexOf('"', at);
    if (at === -1 || text.charCodeAt(at + 1) !== quote) return at === -1 ? -1 : at + 1;
  }
}
