import { type RawBuilder, sql } from 'kysely';
import { storableJson } from '../journal/storable-json.ts';

/**
 * A value as a parameter of the type jsonb, which both drivers send alike. Names that PostgreSQL can't store would fail
 * every check and every run of their account.
 */
export function toJson(value: unknown): RawBuilder<never> {
  return sql`${jsonText(value)}::jsonb`;
}

/** The parameter as a table, whose columns are declared as in `jsonb_to_recordset`. */
export function jsonRows(rows: readonly unknown[], columns: string): RawBuilder<never> {
  return sql`jsonb_to_recordset(${jsonText(rows)}::jsonb) as given (${sql.raw(columns)})`;
}

function jsonText(value: unknown): string {
  return storableJson(JSON.stringify(value ?? null));
}

/** The time of the database in JSON: RFC 3339 in UTC, with milliseconds. */
export const nowInJson = sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
