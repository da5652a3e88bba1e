import { stringify } from 'csv-stringify/sync';
import { spreadsheetText } from '../../core/lib/spreadsheet-text.ts';
import { type CellValue, type Column, columnMember } from './columns.ts';

/** Rows as CSV with a line of headings. No text is a formula, and a row is always one line. */
export function toCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return csvText([columns.map(columnMember), ...rows.map((row) => columns.map(({ value }) => value(row)))]);
}

/** The same for existing cells; the first line contains the headings. */
export function csvText(lines: readonly (readonly CellValue[])[]): string {
  return stringify(
    lines.map((line) => line.map(toCell)),
    {
      // In countries with a decimal comma, spreadsheets read the semicolon as the end of a cell.
      quoted_match: /;/,
      cast: { boolean: String },
    },
  );
}

function toCell(value: CellValue): CellValue {
  return typeof value === 'string' ? spreadsheetText(value) : value;
}
