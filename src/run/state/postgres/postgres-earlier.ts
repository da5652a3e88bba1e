import { type RawBuilder, sql } from 'kysely';
import { type Account, accountKey } from '../../../core/model/account.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import type { Earlier, ListTime, RunQuery } from '../interface/state.ts';
import { checkSchema, type SchemaRow, schemaColumns, schemaOf } from './check-schema.ts';
import type { Database } from './connect.ts';
import { selectListTimes } from './postgres-list-times.ts';
import { firstRunIdOf, lineDigests, type RunTableRow, selectRuns } from './postgres-runs.ts';

/** The runs of a query, and when the lists of an account were last read. */
export interface EarlierQuery {
  readonly query: RunQuery;
  /** Absent: no times are requested. */
  readonly account?: Account | undefined;
}

export interface CheckedEarlier {
  /** How far the clock of the database is ahead, in milliseconds. */
  readonly schema: Result<number>;
  readonly earlier: Result<Earlier>;
}

interface EarlierRow extends SchemaRow {
  readonly runs: readonly RunTableRow[];
  readonly times: readonly ListTime[];
}

/**
 * One statement for all queries that differ only in the account and the time, which also checks the schema: a connection
 * carries one statement at a time. The order is that of the queries.
 */
export async function readPostgresEarlier(
  database: Database,
  queries: readonly EarlierQuery[],
): Promise<readonly CheckedEarlier[]> {
  const found = new Map<EarlierQuery, CheckedEarlier>();
  await Promise.all(
    [...Map.groupBy(queries, shapeOf).values()].map(async (alike) => {
      const answers = await readAlike(database, alike);
      for (const [index, each] of alike.entries()) found.set(each, answers[index] as CheckedEarlier);
    }),
  );
  return queries.map((each) => found.get(each) as CheckedEarlier);
}

function shapeOf({ query: { account, since, ...rest } }: EarlierQuery): string {
  return JSON.stringify([account === undefined, since === undefined, rest]);
}

async function readAlike(
  database: Database,
  queries: readonly EarlierQuery[],
): Promise<readonly CheckedEarlier[]> {
  const { db, place } = database;
  const query = queries[0]?.query ?? {};
  const keyOf = (account: Account | undefined) => (account === undefined ? null : accountKey(account));
  const scope = {
    account: query.account && sql`asked.runs_of`,
    since: query.since === undefined ? undefined : sql`asked.since`,
  };
  try {
    const { rows } = await sql<EarlierRow>`
      select ${schemaColumns}, ${arrayOf(selectRuns(query, scope))} as runs,
        ${arrayOf(selectListTimes(sql`asked.times_of`))} as times
      from unnest(
        ${queries.map((each) => keyOf(each.query.account))}::text[],
        ${queries.map((each) => keyOf(each.account))}::text[],
        ${queries.map((each) => (each.query.since === undefined ? null : firstRunIdOf(each.query.since)))}::text[]
      ) with ordinality as asked (runs_of, times_of, since, place)
      order by asked.place
    `.execute(db);
    return rows.map((row) => {
      const runs = lineDigests(row.runs);
      return {
        schema: schemaOf(row, place),
        earlier: runs.ok ? ok({ runs: runs.value, listTimes: row.times }, runs.problems) : runs,
      };
    });
  } catch (error) {
    // Tables of a newer version may not have a column.
    const schema = await checkSchema(database);
    if (schema.ok) throw error;
    return queries.map(() => ({ schema, earlier: schema }));
  }
}

function arrayOf(select: RawBuilder<unknown>) {
  return sql`(select coalesce(json_agg(row), '[]') from (${select}) as row)`;
}
