import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sql } from 'kysely';
import { accountKey } from '../../../core/model/account.ts';
import { noFacts } from '../../../core/model/facts.ts';
import { printSnapshot, readSnapshot } from '../../../core/model/snapshot.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import type { State } from '../interface/state.ts';
import { checkSchema } from './check-schema.ts';
import { connect, type Database } from './connect.ts';
import { databaseProblem } from './database-problem.ts';
import { createPostgresJournal } from './postgres-journal.ts';
import { acquireLease, breakLease, leaseHolder } from './postgres-lease.ts';
import { listPostgresRuns, readPostgresRun } from './postgres-runs.ts';

/** The state in a PostgreSQL database, for everyone who has its address. Nothing is sent before it is needed. */
export function openPostgresState(url: string): State {
  return postgresStateOn(connect(url));
}

export function postgresStateOn(database: Database): State {
  const { db, place, close } = database;
  let checked: Promise<Result<null>> | undefined;
  const check = () => (checked ??= checkSchema(database));
  const attempt = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      return await work();
    } catch (error) {
      return failed(databaseProblem(error, place));
    }
  };
  /** A read goes out with the check, so that both take one trip. */
  const reading = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
    const [schema, read] = await Promise.all([check(), attempt(work)]);
    return schema.ok ? read : schema;
  };
  const writing = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
    const schema = await check();
    return schema.ok ? attempt(work) : schema;
  };
  return {
    place,
    acquire: (account, request) => writing(() => acquireLease(database, account, request)),
    holder: (account) => reading(async () => ok(await leaseHolder(database, account))),
    unlock: (account) => writing(async () => ok(await breakLease(database, account))),
    startRun: (lease, head) => writing(() => createPostgresJournal(database, lease, head)),
    listRuns: (query) => reading(() => listPostgresRuns(database, query)),
    readRun: (runId) => reading(() => readPostgresRun(database, runId)),
    readFleet: (account) =>
      reading(async () => {
        const row = await db
          .selectFrom('rampart.fleet')
          .select('snapshot')
          .where('account', '=', accountKey(account))
          .executeTakeFirst();
        if (row === undefined) return ok(null);
        const text = await unpack(row.snapshot);
        return text === undefined
          ? failed(problem('snapshot-invalid', `the fleet that ${place} has is damaged`))
          : readSnapshot(text, place);
      }),
    saveFleet: (account, observed) =>
      writing(async () => {
        const text = printSnapshot({ account, observed, facts: noFacts });
        const snapshot = await promisify(gzip)(text);
        const account_key = accountKey(account);
        await sql`
          insert into rampart.fleet (account, snapshot) values (${account_key}, ${snapshot})
          on conflict (account) do update set snapshot = excluded.snapshot, saved_at = clock_timestamp()
        `.execute(db);
        return ok(null);
      }),
    check: () =>
      writing(async () => {
        const { rows } = await sql<{ runs: number; writable: boolean }>`
          select (select count(*)::integer from rampart.run) as runs,
            has_table_privilege('rampart.lease', 'insert, update') and not pg_is_in_recovery() as writable
        `.execute(db);
        const [row] = rows;
        return row?.writable === true
          ? ok({ runs: row.runs })
          : failed(databaseProblem(Object.assign(new Error(), { code: '42501' }), place));
      }),
    close,
  };
}

async function unpack(bytes: Uint8Array): Promise<string | undefined> {
  try {
    return (await promisify(gunzip)(bytes)).toString('utf8');
  } catch {
    return undefined;
  }
}
