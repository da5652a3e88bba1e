import { z } from 'zod';
import type { Visible } from '../../api/access/grants.ts';
import { parseJson } from '../../core/lib/parse-json.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** Every list of the store takes these. */
export interface PageRequest {
  readonly visible: Visible;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  /** At most 500; 100 by default. */
  readonly limit?: number | undefined;
}

export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The cursor of the following page; absent on the last one. */
  readonly next?: string;
}

const longestPage = 500;
const usualPage = 100;

export function pageLimit(limit = usualPage): number {
  return Math.min(Math.max(1, Math.trunc(limit)), longestPage);
}

/** The part of a list with one more row than the page has. `keyOf` returns the values by which the list is ordered. */
export function toListPage<Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly (string | number)[],
): Result<ListPage<Row>> {
  const last = rows[limit - 1];
  return ok({
    items: rows.slice(0, limit),
    ...(rows.length > limit && last !== undefined ? { next: writeCursor(keyOf(last)) } : {}),
  });
}

/** The same page with other items. */
export function mapPage<Row, Item>(
  page: Result<ListPage<Row>>,
  itemOf: (row: Row) => Item,
): Result<ListPage<Item>> {
  return page.ok ? ok({ ...page.value, items: page.value.items.map(itemOf) }) : page;
}

/** The pages of a list, from the first one. One that can't be read is the last. */
export async function* pagesOf<Row>(
  read: (cursor: string | undefined) => Promise<Result<ListPage<Row>>>,
): AsyncGenerator<Result<readonly Row[]>> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield page.ok ? ok(page.value.items) : page;
    cursor = page.ok ? page.value.next : undefined;
  } while (cursor !== undefined);
}

function writeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/** The key of a list by time: the time and the id of a row. The database has no year 0. */
export const timeKey = z.tuple([z.iso.datetime().refine((at) => !at.startsWith('0000')), z.string()]);

/** The key in a cursor, undefined on the first page. */
export function readCursor<Key extends readonly (string | number)[]>(
  cursor: string | undefined,
  schema: z.ZodType<Key>,
): Result<Key | undefined> {
  if (cursor === undefined) return ok(undefined);
  const key = schema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (key.success && !key.data.some((each) => String(each).includes('\0'))) return ok(key.data);
  return failed(badCursor);
}

export const badCursor = problem('usage', 'the cursor does not belong to this list', {
  hint: 'start again without a cursor',
});

/** The first item of a list, if it has one. */
export function firstOf<Item>(page: Result<ListPage<Item>>): Item | undefined {
  return page.ok ? page.value.items[0] : undefined;
}
