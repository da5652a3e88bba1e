import { compareNaturally } from '../../core/lib/natural-order.ts';
import type { CellValue, Column } from './columns.ts';

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

function compare(a: NonNullable<CellValue>, b: NonNullable<CellValue>): number {
  if (typeof a === 'string' && typeof b === 'string') {
    return compareNaturally(a, b);
  }
  return a < b ? -1 : a > b ? 1 : 0;
}
