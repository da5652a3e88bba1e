import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Result } from '../../../core/problem/problem.ts';
import type { PageRequest } from '../../database/page.ts';
import { type ListPage, pageLimit, readCursor, toListPage } from '../../database/page.ts';
import { ifGiven, type StoreDb, visibleRows } from '../../database/query.ts';

/** One row for each attribute of a host. */
interface AttributeRow {
  readonly account: string;
  readonly host_id: string;
  readonly attribute: string;
}

const cursorSchema = z.tuple([z.string(), z.string(), z.string()]);

/**
 * A page of a table with one row for each attribute of a host, by account, host and attribute. `from` selects the columns
 * from the table, and `where` is a condition on them.
 */
export async function attributePage<Row extends AttributeRow>(
  db: StoreDb,
  query: PageRequest & { readonly account?: string | undefined },
  { from, where }: { readonly from: RawBuilder<unknown>; readonly where: RawBuilder<unknown> },
): Promise<Result<ListPage<Row>>> {
  const cursor = readCursor(query.cursor, cursorSchema);
  if (!cursor.ok) return cursor;
  const limit = pageLimit(query.limit);
  const { rows } = await sql<Row>`
    ${from}
    where ${where} and ${visibleRows(query.visible, sql`account`)}
      and ${ifGiven(query.account, (account) => sql`account = ${account}`)}
      and ${ifGiven(cursor.value, (after) => sql`(account, host_id, attribute) > (${sql.join(after)})`)}
    order by account, host_id, attribute limit ${limit + 1}
  `.execute(db);
  return toListPage(rows, limit, ({ account, host_id, attribute }) => [account, host_id, attribute]);
}
