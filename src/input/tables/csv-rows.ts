import { count } from '../../core/lib/count.ts';
import type { TableRows } from '../../core/model/asset-table.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { isSpreadsheetError } from '../csv/check-row.ts';
import { delimiterOf } from '../csv/delimiter.ts';
import { fromFormulaCell } from '../csv/formula-cell.ts';
import { type CsvCell, type Row, splitCsv } from '../csv/split-csv.ts';
import { placeInTable } from '../csv/table-text.ts';
import type { SourceText } from '../sources/source-text.ts';
import { columnFault } from './column-fault.ts';
import { plainCsvRows } from './plain-csv-rows.ts';

/**
 * The rows of a CSV file; the first row has the names of the columns. If each row is one line, only the offsets of the
 * cells are kept, and cells are cut out of the text on request.
 */
export function readCsvRows(source: SourceText): Result<TableRows> {
  const { text } = source;
  const plain = plainCsvRows(text, delimiterOf(text));
  if (plain === undefined) return readAnyRows(source);
  const { columns, count } = plain;
  const fault = columnFault(source, columns);
  if (fault !== undefined) return failed(fault);
  const indexes = indexesOf(columns);
  return ok({
    columns: [...indexes.keys()],
    count,
    cellAt(row, column) {
      const index = indexes.get(column);
      return index === undefined ? undefined : textOf(plain.cellAt(row, index));
    },
    positionOf(row, column = '') {
      const { file, line, col } = source.placeOf(plain.spanAt(row, indexes.get(column) ?? 0));
      return { file, line, col };
    },
  });
}

/** The indexes of the columns that have a name. */
function indexesOf(columns: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    columns.flatMap((column, index): (readonly [string, number])[] =>
      column === '' ? [] : [[column, index]],
    ),
  );
}

function textOf(cell: string): string | undefined {
  const text = fromFormulaCell(cell);
  return text === '' ? undefined : text;
}

/** Reads any table, and explains its problems. */
function readAnyRows(source: SourceText): Result<TableRows> {
  const split = splitCsv(source);
  if (!split.ok) return split;
  const [header, ...rows] = split.value;
  const columns = header?.cells.map(({ text }) => text) ?? [];
  const fault = columnFault(source, columns) ?? first(rows, (row) => rowFault(source, row, columns));
  if (fault !== undefined) return failed(fault);
  const indexes = indexesOf(columns);
  const cellOf = (row: number, column: string) =>
    (rows[row] as Row).cells[indexes.get(column) ?? Number.POSITIVE_INFINITY];
  return ok({
    columns: [...indexes.keys()],
    count: rows.length,
    cellAt: (row, column) => cellOf(row, column)?.text || undefined,
    positionOf(row, column = '') {
      const { file, line, col } = source.placeOf(cellOf(row, column) ?? (rows[row] as Row));
      return { file, line, col };
    },
  });
}

/** A row that ends early is what remains of an export that was cut off. */
function rowFault(source: SourceText, row: Row, columns: readonly string[]): Problem | undefined {
  const { cells } = row;
  if (cells.length < columns.length) {
    return cellProblem(
      source,
      row,
      row,
      `the row has ${count(cells.length, 'cell')}, and the first row has ${columns.length}`,
      {
        hint: 'the file may be incomplete: export it again, with empty cells',
      },
    );
  }
  const extra = cells.find(({ text }, index) => index >= columns.length && text !== '');
  if (extra !== undefined) {
    return cellProblem(source, row, extra, 'there is no column for this cell', {
      hint: 'put text that contains the separator in quotation marks',
    });
  }
  const broken = cells.find(isSpreadsheetError);
  return broken === undefined
    ? undefined
    : cellProblem(source, row, broken, 'a spreadsheet formula failed here', {
        hint: 'fix the formula, and save the table again',
      });
}

function cellProblem(
  source: SourceText,
  { number }: Row,
  { start, end }: Pick<CsvCell, 'start' | 'end'>,
  message: string,
  { hint }: { readonly hint: string },
): Problem {
  // The line of the file is left out of the place: it may hold personal data.
  const { file, line, col } = source.placeOf({ start, end });
  return problem('csv-syntax', message, { place: placeInTable({ file, line, col }, number), hint });
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
