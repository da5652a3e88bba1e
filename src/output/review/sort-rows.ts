import type { Column, Value } from './columns.ts';

/** Numbers in names count as numbers: PC-2 comes before PC-10. */
const collator = new Intl.Collator('en', { numeric: true });

/**
 * Sorts by one column. Rows with equal values keep their order, and those without a value come last in either
 * direction.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  { value }: Column<Row>,
  direction: 'up' | 'down',
): readonly Row[] {
  const sign = direction === 'up' ? 1 : -1;
  return rows
    .map((row) => ({ row, key: value(row) }))
    .sort((a, b) =>
      a.key === null || b.key === null
        ? Number(a.key === null) - Number(b.key === null)
        : sign * compare(a.key, b.key),
    )
    .map(({ row }) => row);
}

function compare(a: NonNullable<Value>, b: NonNullable<Value>): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
