import type { Kysely } from 'kysely';
import { type RawBuilder, sql } from 'kysely';
import type { Visible } from '../../api/access/grants.ts';
import { openPlanStates, openRunStates } from '../../api/states.ts';

/** A connection, or a transaction on it. Queries are SQL, and big integers are returned as text. */
export type StoreDb = Kysely<unknown>;

/** The states are written out, because the database only then uses the indexes of open plans and open runs. */
const oneOf = (states: readonly string[]) => sql.join(states.map((each) => sql.lit(each)));

export const statesOfOpenPlans = oneOf(openPlanStates);
export const statesOfOpenRuns = oneOf(openRunStates);

/** A condition on the column that holds the name of an account. */
export function visibleRows(visible: Visible, column: RawBuilder<unknown>): RawBuilder<unknown> {
  return visible === 'all' ? sql`true` : sql`${column} = any(${visible}::text[])`;
}

/** The condition that a query makes with this value; all rows meet it if the query has no value. */
export function ifGiven<Value>(
  value: Value | undefined,
  condition: (value: Value) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return value === undefined ? sql`true` : condition(value);
}
