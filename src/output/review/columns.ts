import { printable } from '../../core/lib/printable.ts';
import type { Color, TextStyle } from './color.ts';
import { type Cell, type ColumnKind, layOut } from './table.ts';

/** The value of one cell; null if unknown. An id is a bigint, so that it sorts as a number and stays exact. */
export type CellValue = string | number | bigint | boolean | null;

/** One column of a list, for the terminal, JSON and CSV. */
export interface Column<Row> {
  /** The column's name for users, such as `host-name`. */
  readonly key: string;
  /** The heading on the terminal; if absent, the key in capitals. */
  readonly heading?: string;
  readonly kind: ColumnKind;
  /** The JSON field that contains it, for columns whose names are data. */
  readonly within?: string;
  readonly value: (row: Row) => CellValue;
  /** The cell on the terminal; if absent, the value itself. */
  readonly cell?: (row: Row, color: Color) => Cell;
}

/** One line for each row, below a line of headings. */
export function paintTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { color, columns: width }: TextStyle,
): string {
  const heading = columns.map(({ key, heading: given }) => ({
    text: printable(given ?? key.toUpperCase().replaceAll('-', ' ')),
    paint: color.bold,
  }));
  const lines = rows.map((row) =>
    columns.map((column) => column.cell?.(row, color) ?? { text: printable(valueText(column.value(row))) }),
  );
  const kinds = columns.map(({ kind }) => kind);
  return `${layOut([heading, ...lines], { columns: kinds, indent: 0, width }).join('\n')}\n`;
}

/** Rows as JSON: ids as decimal strings, field names with underscores. */
export function toDocuments<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): readonly Readonly<Record<string, unknown>>[] {
  const plain = columns.filter(({ within }) => within === undefined);
  const nested = Map.groupBy(
    columns.filter(({ within }) => within !== undefined),
    ({ within }) => within as string,
  );
  return rows.map((row) =>
    Object.fromEntries([
      ...plain.map((column) => [columnMember(column), jsonValue(column.value(row))]),
      ...[...nested].map(([member, inside]) => [
        member,
        Object.fromEntries(inside.map((column) => [column.key, jsonValue(column.value(row))])),
      ]),
    ]),
  );
}

/** A column's name in JSON and CSV. A name that is data is unchanged; Rampart's own names get underscores. */
export function columnMember<Row>({ key, within }: Column<Row>): string {
  return within === undefined ? key.replaceAll('-', '_') : key;
}

function valueText(value: CellValue): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? '-' : String(value);
}

function jsonValue(value: CellValue): Exclude<CellValue, bigint> {
  return typeof value === 'bigint' ? String(value) : value;
}
