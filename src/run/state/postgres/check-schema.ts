import { sql } from 'kysely';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { Database } from './connect.ts';
import { databaseProblem, notMigrated } from './database-problem.ts';
import { newestVersion } from './migrations.ts';

const oldestServer = 130_000;

/** Does the database have the tables that this program expects? */
export async function checkSchema({ db, place }: Database): Promise<Result<null>> {
  try {
    const { rows } = await sql<{ version: string | null; server: number }>`
      select (select max(name) from rampart.migration) as version,
        current_setting('server_version_num')::integer as server
    `.execute(db);
    const { version = null, server = 0 } = rows[0] ?? {};
    if (server < oldestServer) return failed(problem('state', `${place} is older than PostgreSQL 13`));
    if (version === null || version < newestVersion) return failed(notMigrated(place));
    if (version === newestVersion) return ok(null);
    return failed(
      problem(
        'state',
        `${place} was migrated by a newer Rampart, to version ${version}; this one knows ${newestVersion}`,
        {
          hint: 'update Rampart',
        },
      ),
    );
  } catch (error) {
    return failed(databaseProblem(error, place));
  }
}
