import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../../core/model/account.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import type { Earlier, ListTime, RunQuery } from '../interface/state.ts';
import { checkSchema, type SchemaRow, schemaColumns, schemaOf } from './check-schema.ts';
import type { Database } from './connect.ts';
import { selectListTimes } from './postgres-list-times.ts';
import { digestsOf, type RunRow, selectRuns } from './postgres-runs.ts';

interface EarlierRow extends SchemaRow {
  readonly runs: readonly RunRow[];
  readonly times: readonly ListTime[];
}

export interface CheckedEarlier {
  /** How far the clock of the database is ahead, in milliseconds. */
  readonly schema: Result<number>;
  readonly earlier: Result<Earlier>;
}

/** One statement, which also checks the schema: a connection carries one statement at a time. */
export async function readPostgresEarlier(
  database: Database,
  query: RunQuery,
  account?: Account,
): Promise<CheckedEarlier> {
  const { db, place } = database;
  try {
    const { rows } = await sql<EarlierRow>`
      select ${schemaColumns}, ${arrayOf(selectRuns(query))} as runs,
        ${account === undefined ? sql`'[]'::json` : arrayOf(selectListTimes(account))} as times
    `.execute(db);
    const [row] = rows;
    const runs = digestsOf(row?.runs ?? []);
    return {
      schema: schemaOf(row, place),
      earlier: runs.ok ? ok({ runs: runs.value, listTimes: row?.times ?? [] }, runs.problems) : runs,
    };
  } catch (error) {
    // Tables of a newer version may lack a column.
    const schema = await checkSchema(database);
    if (schema.ok) throw error;
    return { schema, earlier: schema };
  }
}

function arrayOf(select: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(row), '[]') from (${select}) as row)`;
}
