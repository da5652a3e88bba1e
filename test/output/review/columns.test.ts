import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainStyle } from '../../../src/output/review/color.ts';
import { type CellValue, type Column, paintTable, toDocuments } from '../../../src/output/review/columns.ts';
import { sortRows } from '../../../src/output/review/sort-rows.ts';

interface Row {
  readonly id: bigint;
  readonly name: string | null;
}

const id: Column<Row> = { key: 'id', kind: 'fixed', value: (row) => row.id };
const name: Column<Row> = { key: 'host-name', kind: 'name', value: (row) => row.name };
const rows: readonly Row[] = [
  { id: 9223372036854775807n, name: 'PC-10' },
  { id: -1n, name: null },
  { id: 7n, name: 'PC-2' },
];

describe('a table', () => {
  it('has a line of headings, and shows what is not known as a dash', () => {
    expect(paintTable(rows, [id, name], plainStyle)).toBe(
      [
        'ID                   HOST NAME',
        '9223372036854775807  PC-10',
        '-1                   -',
        '7                    PC-2',
        '',
      ].join('\n'),
    );
  });

  it('shows hostile headings and values as symbols', () => {
    const column: Column<string> = { key: 'x', heading: 'a\u001b[1m', kind: 'name', value: (row) => row };
    const text = paintTable(['b\u202e\n'], [column], { ...plainStyle, columns: 80 });
    expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });
});

it('JSON has ids as text, our names with underscores, and names that are data apart', () => {
  const field: Column<Row> = { key: '__proto__', kind: 'name', within: 'custom_fields', value: () => 'Wien' };
  expect(JSON.stringify(toDocuments(rows.slice(0, 1), [id, field, name]))).toBe(
    '[{"id":"9223372036854775807","host_name":"PC-10","custom_fields":{"__proto__":"Wien"}}]',
  );
});

describe('sorting', () => {
  const sorted = (column: Column<Row>, direction: 'up' | 'down') =>
    sortRows(rows, column, direction).map((row) => row.id);

  it('takes ids as numbers of any size', () => {
    expect(sorted(id, 'up')).toEqual([-1n, 7n, 9223372036854775807n]);
    expect(sorted(id, 'down')).toEqual([9223372036854775807n, 7n, -1n]);
  });

  it('sorts numbers in names as numbers, and puts unknown values last in both directions', () => {
    expect(sorted(name, 'up')).toEqual([7n, 9223372036854775807n, -1n]);
    expect(sorted(name, 'down')).toEqual([9223372036854775807n, 7n, -1n]);
  });

  it('is a stable order of the same rows', () => {
    const value = fc.oneof(fc.constant(null), fc.string(), fc.constantFrom('a', 'B', 'b', '10', '9'));
    const column: Column<{ readonly value: CellValue; readonly at: number }> = {
      key: 'value',
      kind: 'name',
      value: (row) => row.value,
    };
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const given = values.map((each, at) => ({ value: each, at }));
        const once = sortRows(given, column, 'up');
        expect([...once].sort((a, b) => a.at - b.at)).toEqual(given);
        expect(sortRows(once, column, 'up')).toEqual(once);
        for (const [index, row] of once.entries()) {
          const next = once[index + 1];
          if (next?.value === row.value) expect(next.at).toBeGreaterThan(row.at);
        }
      }),
    );
  });
});
