import { type RawBuilder, sql } from 'kysely';

/**
 * A value as a parameter of the type jsonb, which both drivers send alike. PostgreSQL has no text with a NUL or with half
 * of a surrogate pair, so names with these would fail every check and every run of their account: each becomes U+FFFD.
 */
export function toJson(value: unknown): RawBuilder<never> {
  return sql`${jsonText(value)}::jsonb`;
}

/** The parameter as a table, whose columns are declared as in `jsonb_to_recordset`. */
export function toRows(rows: readonly unknown[], columns: string): RawBuilder<never> {
  return sql`jsonb_to_recordset(${jsonText(rows)}::jsonb) as given (${sql.raw(columns)})`;
}

function jsonText(value: unknown): string {
  const text = JSON.stringify(value ?? null);
  // JSON.stringify escapes a surrogate only if it is half of a pair.
  return text.includes('\\u') ? text.replaceAll(unstorable, '$1\\ufffd') : text;
}

/** The escape must not be the second half of an escaped backslash. */
const unstorable = /((?<!\\)(?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/gi;

/** The time of the database in JSON: RFC 3339 in UTC, with milliseconds. */
export const nowInJson = sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
