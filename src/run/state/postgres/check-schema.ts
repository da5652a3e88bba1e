import { sql } from 'kysely';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { Database } from './connect.ts';
import { databaseProblem, notMigrated } from './database-problem.ts';
import { newestVersion } from './migrations.ts';

const oldestServer = 130_000;

/** Two synchronized clocks differ by less than this, in milliseconds. */
const usualSkewMs = 5_000;

/** Columns of a statement that also checks the schema. */
export const schemaColumns = sql`
  (select max(name) from rampart.migration) as version,
  current_setting('server_version_num')::integer as server,
  (extract(epoch from clock_timestamp()) * 1000)::double precision as now`;

export interface SchemaRow {
  readonly version: string | null;
  readonly server: number;
  readonly now: number;
}

/** Does the database have the tables that this program expects? The value is how far its clock is ahead, in milliseconds. */
export async function checkSchema({ db, place }: Database): Promise<Result<number>> {
  try {
    const { rows } = await sql<SchemaRow>`select ${schemaColumns}`.execute(db);
    return schemaOf(rows[0], place);
  } catch (error) {
    return failed(databaseProblem(error, place));
  }
}

export function schemaOf(row: SchemaRow | undefined, place: string): Result<number> {
  const { version = null, server = 0, now = Date.now() } = row ?? {};
  const skewMs = now - Date.now();
  if (server < oldestServer) return failed(problem('state', `${place} is older than PostgreSQL 13`));
  if (version === null || version < newestVersion) return failed(notMigrated(place));
  if (version === newestVersion) return ok(Math.abs(skewMs) < usualSkewMs ? 0 : skewMs);
  return failed(
    problem(
      'state',
      `${place} was migrated by a newer Rampart, to version ${version}; this one knows ${newestVersion}`,
      { hint: 'update Rampart' },
    ),
  );
}
