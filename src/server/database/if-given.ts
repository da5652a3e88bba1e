import { type RawBuilder, sql } from 'kysely';

/** The condition that a query makes with this value; all rows meet it if the query has no value. */
export function ifGiven<Value>(
  value: Value | undefined,
  condition: (value: Value) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return value === undefined ? sql`true` : condition(value);
}
