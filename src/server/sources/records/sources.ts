import { sql } from 'kysely';
import { nowInJson, toJson } from '../../../run/state/postgres/in-transaction.ts';
import type { StoreDb } from '../../database/query.ts';

export interface SourceRecord {
  readonly name: string;
  readonly commit: string | null;
  readonly fetchedAt: Date | null;
  readonly problem: SourceProblem | null;
}

export interface SourceProblem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** RFC 3339, UTC. */
  readonly since: string;
}

export function sourcesOn(db: StoreDb) {
  return {
    async list(): Promise<readonly SourceRecord[]> {
      const { rows } = await sql<SourceRecord>`
        select name, commit, fetched_at as "fetchedAt", problem from rampart_server.source order by name limit 1000
      `.execute(db);
      return rows;
    },

    /** Records that a source was read at a commit (null for a folder). True if the commit is another than before. */
    async fetched(name: string, commit: string | null): Promise<boolean> {
      const { rows } = await sql<{ changed: boolean }>`
        with before as (select commit from rampart_server.source where name = ${name}),
        written as (
          insert into rampart_server.source (name, commit, fetched_at)
          values (${name}, ${commit}, clock_timestamp())
          on conflict (name) do update set commit = excluded.commit, fetched_at = excluded.fetched_at, problem = null
          returning commit
        )
        select (select commit from before) is distinct from written.commit as changed from written
      `.execute(db);
      return rows[0]?.changed === true;
    },

    /** Records why a source could not be read. `since` remains that of the first failure. */
    async failed(name: string, problem: Omit<SourceProblem, 'since'>): Promise<void> {
      await sql`
        insert into rampart_server.source as old (name, problem)
        values (${name}, ${toJson(problem)} || ${since})
        on conflict (name) do update set problem = excluded.problem
          || case when old.problem is null then '{}'::jsonb else jsonb_build_object('since', old.problem -> 'since') end
      `.execute(db);
    },

    /** Removes the sources that are no longer configured. */
    async keepOnly(names: readonly string[]): Promise<void> {
      await sql`delete from rampart_server.source where name <> all(${names}::text[])`.execute(db);
    },
  };
}

const since = sql`jsonb_build_object('since', ${nowInJson})`;
