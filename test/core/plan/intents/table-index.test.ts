import { describe, expect, it } from 'vitest';
import type { TableRows } from '../../../../src/core/model/asset-table.ts';
import { tableIndex } from '../../../../src/core/plan/intents/table-index.ts';

function tableOf(...keys: readonly (string | undefined)[]) {
  let reads = 0;
  const rows: TableRows = {
    columns: ['Serial', 'Other'],
    count: keys.length,
    cellAt(row, column) {
      if (row >= keys.length) throw new Error('there is no such row');
      reads += 1;
      return column === 'Serial' ? keys[row] : `o${row}`;
    },
    positionOf: (row) => ({ file: 'a.csv', line: row + 2, col: 1 }),
  };
  return { table: { rows, key: 'Serial' }, reads: () => reads };
}

describe('the index of a table', () => {
  it.each([
    ['as it is written', 'S2', 1],
    ['in another letter case', 's2', 1],
    ['with white space at its ends', ' s2\t', 1],
    ['that no row has', 'S9', -1],
    ['that identifies nothing', 'n/a', -1],
    ['that is empty', '', -1],
  ])('finds the row of a key %s', (_, key, row) => {
    expect(tableIndex(tableOf('S1', ' S2', 'N/A', undefined, '').table).rowOf(key)).toBe(row);
  });

  it('finds the first of several rows with the same key, and reports each later one with it', () => {
    const index = tableIndex(tableOf('S1', 'S2', 's1 ', '0000', '0000', 'S3', 'S1', 's2').table);
    expect(['S1', 's2', 'S3'].map((key) => index.rowOf(key))).toEqual([0, 1, 5]);
    expect(index.repeated).toEqual([
      [0, 2],
      [0, 6],
      [1, 7],
    ]);
    expect(index.withoutKey).toBe(2);
  });

  it('lists at most 20 rows that repeat a key', () => {
    expect(tableIndex(tableOf(...Array.from({ length: 40 }, () => 'S1')).table).repeated).toHaveLength(20);
  });

  it('is made once for each key column of a table', () => {
    const { table, reads } = tableOf('S1', 'S2');
    const made = tableIndex(table);
    const after = reads();
    expect(tableIndex({ ...table })).toBe(made);
    expect(reads()).toBe(after);
    expect(tableIndex({ ...table, key: 'Other' }).rowOf('o1')).toBe(1);
    expect(tableIndex(table)).toBe(made);
  });
});
