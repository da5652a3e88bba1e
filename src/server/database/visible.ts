import { type RawBuilder, sql } from 'kysely';
import type { Visible } from '../../api/access/grants.ts';

/** A condition on the column that holds the name of an account. */
export function visibleRows(visible: Visible, column: RawBuilder<unknown>): RawBuilder<unknown> {
  return visible === 'all' ? sql`true` : sql`${column} = any(${visible}::text[])`;
}
