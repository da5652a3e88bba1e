import { count, quoted } from '../../core/lib/words.ts';
import type { TableRows } from '../../core/model/asset-table.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { isSpreadsheetError } from '../csv/columns.ts';
import type { ScannedRows } from '../csv/scan-csv.ts';
import { placeInTable, readCsv } from '../csv/split-csv.ts';
import type { SourceText, Span } from '../sources/source-text.ts';

/** The rows of a CSV file; the first row has the names of the columns. Cells are cut out of the text on request. */
export function readCsvRows(source: SourceText): Result<TableRows> {
  const read = readCsv(source);
  if (!read.ok) return read;
  const table = read.value;
  const width = table.count === 0 ? 0 : table.widthOf(0);
  const columns = Array.from({ length: width }, (_, column) => table.textAt(0, column));
  const fault = columnFault(source, columns) ?? rowFault(source, table, columns);
  if (fault !== undefined) return failed(fault);
  const named = columns.map((column, index) => [column, index] as const).filter(([column]) => column !== '');
  const indexes = new Map(named);
  return ok({
    columns: [...indexes.keys()],
    count: table.count - 1,
    cellAt(row, column) {
      const index = indexes.get(column);
      return index === undefined ? undefined : table.textAt(row + 1, index) || undefined;
    },
    positionOf(row, column = '') {
      const index = indexes.get(column);
      return source.positionOf(index === undefined ? table.spanOf(row + 1) : table.cellSpan(row + 1, index));
    },
  });
}

/** What is wrong with the header of a table. Columns without a name are not read. */
function columnFault({ file }: SourceText, columns: readonly string[]): Problem | undefined {
  const place = { file, line: 1, col: 1 };
  if (columns.every((column) => column === '')) {
    return problem('file-empty', 'the table is empty', { place, hint: 'its first row names the columns' });
  }
  const seen = new Set<string>();
  for (const column of columns) {
    if (column !== '' && seen.has(column)) {
      return problem('duplicate-key', `the column ${quoted(column)} appears twice`, {
        place,
        hint: 'rename one of the two: expressions read a column by its name',
      });
    }
    seen.add(column);
  }
  return undefined;
}

/** The first row that was damaged. One that ends early is what remains of an export that was cut off. */
function rowFault(
  source: SourceText,
  table: ScannedRows,
  { length }: readonly string[],
): Problem | undefined {
  for (let row = 1; row < table.count; row += 1) {
    const width = table.widthOf(row);
    const { start, end } = table.spanOf(row);
    const fault = (span: Span, message: string, hint: string) => {
      // The line of the file is left out of the place: it may hold personal data.
      const place = placeInTable(source.positionOf(span), table.numberOf(row));
      return problem('csv-syntax', message, { place, hint });
    };
    if (width < length) {
      const message = `the row has ${count(width, 'cell')}, and the first row has ${length}`;
      const hint = 'the file may be incomplete: export it again, with empty cells';
      return fault({ start, end }, message, hint);
    }
    for (let column = length; column < width; column += 1) {
      const hint = 'put text that contains the separator in quotation marks';
      if (table.textAt(row, column) !== '')
        return fault(table.cellSpan(row, column), 'there is no column for this cell', hint);
    }
    // Reading every cell takes long, and the errors of spreadsheets begin with a number sign.
    const mayFail = source.text.slice(start, end).includes('#');
    for (let column = 0; mayFail && column < width; column += 1) {
      if (isSpreadsheetError({ text: table.textAt(row, column) }))
        return fault(
          table.cellSpan(row, column),
          'a spreadsheet formula failed here',
          'fix the formula, and save the table again',
        );
    }
  }
  return undefined;
}
