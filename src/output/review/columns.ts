import { printable } from '../../core/lib/printable.ts';
import type { Colour } from './colour.ts';
import { type Cell, type ColumnKind, layOut } from './table.ts';

/**
 * What stands in one cell; null if nothing is known. An id is a bigint, so that it sorts as a number and stays exact.
 */
export type Value = string | number | bigint | boolean | null;

/** One column of a list, for the terminal, JSON and CSV alike. */
export interface Column<Row> {
  /** What the user calls it, such as `host-name`. */
  readonly key: string;
  /** Its head on the terminal: the key in capitals when absent. */
  readonly heading?: string;
  readonly kind: ColumnKind;
  /** The member of the JSON that it is in, for columns whose names are data. */
  readonly within?: string;
  readonly value: (row: Row) => Value;
  /** On the terminal: the value itself when absent. */
  readonly cell?: (row: Row, colour: Colour) => Cell;
}

export interface TableOptions {
  readonly colour: Colour;
  /** Columns of the terminal; null if lines may be of any length. */
  readonly width: number | null;
}

/** Every row on a line of its own under a line of headings. */
export function paintTable<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { colour, width }: TableOptions,
): string {
  const heading = columns.map(({ key, heading: given }) => ({
    text: printable(given ?? key.toUpperCase().replaceAll('-', ' ')),
    paint: colour.bold,
  }));
  const lines = rows.map((row) =>
    columns.map((column) => column.cell?.(row, colour) ?? { text: printable(valueText(column.value(row))) }),
  );
  const kinds = columns.map(({ kind }) => kind);
  return `${layOut([heading, ...lines], { columns: kinds, indent: 0, width }).join('\n')}\n`;
}

/** Rows as they go into JSON: ids as decimal strings, names of members with underscores. */
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
      ...plain.map((column) => [memberOf(column), jsonValue(column.value(row))]),
      ...[...nested].map(([member, inside]) => [
        member,
        Object.fromEntries(inside.map((column) => [column.key, jsonValue(column.value(row))])),
      ]),
    ]),
  );
}

/** What a column is called in JSON and CSV: the name that is data as it is, ours with underscores. */
export function memberOf<Row>({ key, within }: Column<Row>): string {
  return within === undefined ? key.replaceAll('-', '_') : key;
}

function valueText(value: Value): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return value === null ? '-' : String(value);
}

function jsonValue(value: Value): Exclude<Value, bigint> {
  return typeof value === 'bigint' ? String(value) : value;
}
