import type { FilePosition, Place } from '../problem/problem.ts';
import type { Template } from './expression.ts';
import type { Limit } from './policy.ts';

/** The types that a column can have. A column without a type is text. */
export const columnTypes = ['text', 'int', 'number', 'bool', 'date'] as const;
export type ColumnType = (typeof columnTypes)[number];

/** The name of each table, and the types of the columns that declare one. Expressions are checked against them. */
export type TableTypes = ReadonlyMap<string, ReadonlyMap<string, ColumnType>>;

export const noTables: TableTypes = new Map();

/** The rows of a table in the order of its source. Cells are made on request. */
export interface TableRows {
  readonly columns: readonly string[];
  readonly count: number;
  /** Undefined for an empty cell, and for a column that the table does not have. */
  cellAt(row: number, column: string): string | undefined;
  /** The position of a cell, or of the row if the column is absent. */
  positionOf(row: number, column?: string): FilePosition;
}

/** What must be true of a table before a plan relies on it. */
export interface TableLimits {
  /** How many rows the table may lose between two runs. */
  readonly shrink: Limit;
  /** The fewest rows. */
  readonly rows: number;
  /** The oldest age of its content, in milliseconds; any age if absent. */
  readonly ageMs?: number;
}

/** A table that was read completely, and how it is joined to hosts. */
export interface AssetTable {
  readonly name: string;
  /** Where its rows come from, as messages show it. It contains no credentials. */
  readonly origin: string;
  /** The column whose value identifies a row. */
  readonly key: string;
  /** The value of the key for a host. */
  readonly join: Template;
  readonly types: ReadonlyMap<string, ColumnType>;
  readonly limits: TableLimits;
  readonly rows: TableRows;
  /** SHA-256 of the bytes that were read. */
  readonly hash: string;
  /** RFC 3339: when the content was last changed, as its source reports it. */
  readonly changedAt?: string;
  /** The place in the desired state that declares the table. */
  readonly place: Place;
}

/** A table as a run used it, for the record of the run. */
export interface TableRecord {
  readonly name: string;
  readonly rows: number;
  readonly hash: string;
}
