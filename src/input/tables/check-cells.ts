import { isInt64 } from '../../core/lib/int64.ts';
import { quoted } from '../../core/lib/words.ts';
import type { ColumnType, TableRows } from '../../core/model/asset-table.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';

const isOfType: Readonly<Record<ColumnType, (cell: string) => boolean>> = {
  text: () => true,
  int: (cell) => /^[+-]?\d+$/.test(cell) && isInt64(cell.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')),
  number: (cell) => /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/.test(cell),
  bool: (cell) => cell === 'true' || cell === 'false',
  date: (cell) =>
    /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)?)?$/.test(cell) &&
    !Number.isNaN(Date.parse(cell.replace(' ', 'T'))),
};

const hints: Readonly<Record<ColumnType, string>> = {
  text: '',
  int: 'write digits only',
  number: 'write digits with a decimal point, such as 1299.90',
  bool: 'write true or false',
  date: 'write 2026-01-31, or a time in RFC 3339',
};

/** The first cell that does not have the type of its column. Empty cells are unknown, whatever the type. */
export function cellFault(rows: TableRows, types: ReadonlyMap<string, ColumnType>): Problem | undefined {
  for (const [column, type] of types) {
    for (let row = 0; row < rows.count; row += 1) {
      const cell = rows.cellAt(row, column);
      if (cell === undefined || isOfType[type](cell)) continue;
      return problem(
        'table-unreadable',
        `a cell of the column ${quoted(column)} is not of the type ${type}`,
        {
          place: rows.positionOf(row, column),
          hint: `${hints[type]}, or declare the column as text`,
        },
      );
    }
  }
  return undefined;
}
