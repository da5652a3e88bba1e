import { stringify } from 'csv-stringify/sync';
import { printable } from '../../core/lib/printable.ts';
import { type Column, memberOf, type Value } from './columns.ts';

/**
 * Rows as CSV with a line of headings. Spreadsheets run a cell that begins like a formula, so such text gets
 * an apostrophe in front; control and direction-changing characters are shown as symbols, so a row is always one line.
 */
export function toCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return csvText([columns.map(memberOf), ...rows.map((row) => columns.map(({ value }) => value(row)))]);
}

/** The same for cells that are there already; the first line is the headings. */
export function csvText(lines: readonly (readonly Value[])[]): string {
  return stringify(
    lines.map((line) => line.map(toCell)),
    {
      escape_formulas: true,
      // In countries that write a decimal comma, spreadsheets take the semicolon for the end of a cell.
      quoted_match: /;/,
      cast: { boolean: String },
    },
  );
}

function toCell(value: Value): Value {
  return typeof value === 'string' ? printable(value) : value;
}
