import { failed, ok, type Result } from '../../core/problem/problem.ts';
import { badCursor } from '../database/page.ts';

/** Pages of a list that is in memory as a whole, such as the hosts of a plan. The cursor is a position, checked as one. */
export function pageOfList<Item>(
  list: readonly Item[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Result<{ items: Item[]; next?: string; total: number }> {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) return failed(badCursor);
  const from = Number(cursor ?? 0);
  const end = from + limit;
  return ok({
    items: list.slice(from, end),
    ...(end < list.length ? { next: String(end) } : {}),
    total: list.length,
  });
}
