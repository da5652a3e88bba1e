import { countWhile } from '../../core/lib/binary-search.ts';
import { failed, ok, type Place, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { SourceText, Span } from '../sources/source-text.ts';
import { type Delimiter, delimiterOf } from './delimiter.ts';
import { type CsvMistake, type ScannedRows, scanCsv } from './scan-csv.ts';

/** One cell, and the span of its text with its quotation marks. */
export interface CsvCell extends Span {
  readonly text: string;
}

export interface Row extends Span {
  /** The row number in a spreadsheet, from 1: a cell may span several lines. */
  readonly number: number;
  readonly cells: readonly CsvCell[];
}

/** The rows of a table with all their cells. */
export function splitCsv(source: SourceText, delimiter?: Delimiter): Result<readonly Row[]> {
  const scanned = readCsv(source, delimiter);
  if (!scanned.ok) return scanned;
  const { count, numberOf, spanOf, widthOf, cellSpan, textAt } = scanned.value;
  const cellsOf = (row: number) =>
    Array.from({ length: widthOf(row) }, (_, column) => ({
      text: textAt(row, column),
      ...cellSpan(row, column),
    }));
  return ok(
    Array.from({ length: count }, (_, row) => ({
      number: numberOf(row),
      cells: cellsOf(row),
      ...spanOf(row),
    })),
  );
}

/** The rows of a table, or the problem of its first cell that is not one. */
export function readCsv(source: SourceText, delimiter = delimiterOf(source.text)): Result<ScannedRows> {
  const scanned = scanCsv(source.text, delimiter);
  return 'kind' in scanned ? failed(explain(scanned, source)) : ok(scanned);
}

function explain(mistake: CsvMistake, { text, placeOf }: SourceText): Problem {
  const { offset, row, column } = mistake;
  const { message, hint } = wordsOf(mistake, text);
  const place = placeOf({ start: offset, end: offset + 1 });
  return problem('csv-syntax', message, { place: { ...place, part: `row ${row}, column ${column}` }, hint });
}

function wordsOf({ kind, cellStart, offset }: CsvMistake, text: string) {
  switch (kind) {
    case 'mark-in-cell':
      return {
        message: 'a quotation mark in the middle of a cell',
        hint:
          text.slice(cellStart, offset).trim() === ''
            ? 'remove the space before the quotation mark'
            : 'put the whole cell in quotation marks, and write each mark inside it twice: "19"" rack"',
      };
    case 'text-after-marks':
      return {
        message: 'text follows the closing quotation mark of a cell',
        hint: 'write each quotation mark inside a cell twice: "19"" rack"',
      };
    case 'open-marks':
      return { message: 'a quotation mark is never closed', hint: 'close it, or remove it' };
  }
}

/**
 * The text of a table whose positions include the row and the column, as users of spreadsheets expect. `rowOf` returns
 * the row of a span, which begins on the line.
 */
export function tableText(
  source: SourceText,
  header: Row | undefined,
  rowOf: (span: Span, line: number) => Row | undefined,
): SourceText {
  const labels = header?.cells.map((cell) => cell.text) ?? [];
  return {
    ...source,
    placeOf(span) {
      const place = source.placeOf(span);
      const row = rowOf(span, place.line);
      if (row === undefined) return place;
      const column = row.cells.findIndex((cell) => span.start >= cell.start && span.end <= cell.end);
      return placeInTable(place, row.number, labels[column]);
    },
  };
}

/** A place with its row, and its column under the name in the first row, if it has one. */
export function placeInTable(place: Place, row: number, label = ''): Place {
  return { ...place, part: `row ${row}${label === '' ? '' : `, column "${label}"`}` };
}

/** The last row that begins at or before the span. */
export function rowAt(rows: readonly Row[], { start }: Span): Row | undefined {
  return rows[countWhile(rows.length, (at) => (rows[at] as Row).start <= start) - 1];
}
