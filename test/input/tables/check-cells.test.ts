import { describe, expect, it } from 'vitest';
import type { ColumnType, TableRows } from '../../../src/core/model/asset-table.ts';
import { cellFault } from '../../../src/input/tables/check-cells.ts';

/** The hint about the first cell that is not of the type; undefined if all are. */
function hintFor(type: ColumnType, ...cells: readonly (string | undefined)[]): string | undefined {
  const rows: TableRows = {
    columns: ['a'],
    count: cells.length,
    cellAt: (row) => cells[row],
    positionOf: (row) => ({ file: 'a.csv', line: row + 2, col: 1 }),
  };
  const fault = cellFault(rows, new Map([['a', type]]));
  return fault === undefined ? undefined : `${fault.place?.line}: ${fault.message}; ${fault.hint}`;
}

describe('a cell has the type of its column', () => {
  it.each<[ColumnType, readonly string[]]>([
    ['text', ['', 'anything']],
    ['int', ['0', '-1', '+7', '007', '-007', '9223372036854775807', '-9223372036854775808']],
    ['number', ['1', '-1.5', '+.5', '0.25', '1e3', '1E-3', '1e+300']],
    ['bool', ['true', 'false']],
    [
      'date',
      [
        '2026-01-31',
        '2026-01-31T10:00',
        '2026-01-31 10:00:59',
        '2026-01-31T10:00:59.123Z',
        '2026-01-31T10:00:59.123456789+02:00',
        '2026-01-31 10:00-05:30',
      ],
    ],
  ])('%s', (type, cells) => {
    for (const cell of cells) expect(hintFor(type, cell), cell).toBeUndefined();
    expect(hintFor(type, undefined, undefined)).toBeUndefined();
  });

  it.each<[ColumnType, readonly string[], string]>([
    [
      'int',
      ['1.0', 'x1', '1x', '', '--1', '9223372036854775808', '1 000'],
      'write digits only, or declare the column as text',
    ],
    [
      'number',
      ['x1', '1x', '1.', '.', '1e', '1e1234', '1,5', 'Infinity'],
      'write digits with a decimal point, such as 1299.90, or declare the column as text',
    ],
    ['bool', ['True', 'yes', '1', 'xfalse'], 'write true or false, or declare the column as text'],
    [
      'date',
      ['2026-13-01', '31.01.2026', 'x2026-01-31', '2026-01-31x', '2026-01-31T10', '2026-01-31T10:00z'],
      'write 2026-01-31, or a time in RFC 3339, or declare the column as text',
    ],
  ])('%s, or the table is refused with the row', (type, cells, hint) => {
    for (const cell of cells)
      expect(hintFor(type, undefined, cell), cell).toBe(
        `3: a cell of the column "a" is not of the type ${type}; ${hint}`,
      );
  });
});
