import { type RawBuilder, sql } from 'kysely';

/** The names of the accounts that the caller may see. */
export type Visible = 'all' | readonly string[];

/** A condition on the column that holds the name of an account. */
export function isVisible(visible: Visible, column: RawBuilder<unknown>): RawBuilder<unknown> {
  return visible === 'all' ? sql`true` : sql`${column} = any(${visible}::text[])`;
}
