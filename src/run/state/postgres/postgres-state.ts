import { type RawBuilder, sql } from 'kysely';
import { batchCalls } from '../../../core/lib/batch-calls.ts';
import type { Clock } from '../../../core/lib/surroundings.ts';
import { type Account, accountKey } from '../../../core/model/account.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import type { AuditKeys } from '../audit/audit-keys.ts';
import { type HeadMemory, signedAudit } from '../audit/sign-audit.ts';
import type { Earlier, ListTime, RunQuery, State } from '../interface/state.ts';
import { checkSchema, type SchemaRow, schemaColumns, schemaOf } from './check-schema.ts';
import { connectDatabase, type Database } from './connect.ts';
import { databaseProblem } from './database-problem.ts';
import { migrate } from './migrations.ts';
import { postgresAudit } from './postgres-audit.ts';
import { eachPostgresFleet, readPostgresFleet, savePostgresFleet } from './postgres-fleets.ts';
import { postgresInventories } from './postgres-inventories.ts';
import { createPostgresJournal } from './postgres-journal.ts';
import { acquireLease, breakLease, leaseHolder, listLeases } from './postgres-lease.ts';
import { savePostgresListTimes, selectListTimes } from './postgres-list-times.ts';
import { postgresRollouts } from './postgres-rollouts.ts';
import {
  firstRunIdOf,
  importPostgresRun,
  lineDigests,
  type RunTableRow,
  readPostgresRun,
  removePostgresRuns,
  selectRuns,
} from './postgres-runs.ts';
import { sealPostgresRuns } from './seal-postgres-runs.ts';

/** The state in a PostgreSQL database, for everyone with its address. It connects on first use. */
export function openPostgresState(url: string, keys?: AuditKeys): State {
  return postgresStateOn(connectDatabase(url), keys);
}

/** The same on any connection, such as PGlite in this process. */
export function postgresStateOn(database: Database, keys?: AuditKeys, memory?: HeadMemory): State {
  const { db, place, close } = database;
  let checked: Promise<Result<number>> | undefined;
  const check = () => (checked ??= checkSchema(database));
  const attempt = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
    try {
      return await work();
    } catch (error) {
      return failed(databaseProblem(error, place));
    }
  };
  /** The read and the check are sent together, so that both take one round trip. */
  const reading = async <T>(work: () => Promise<Result<T>>): Promise<Result<T>> => {
    const [schema, read] = await Promise.all([check(), attempt(work)]);
    return schema.ok ? read : schema;
  };
  const writing = async <T>(work: (skewMs: number) => Promise<Result<T>>): Promise<Result<T>> => {
    const schema = await check();
    return schema.ok ? attempt(() => work(schema.value)) : schema;
  };
  const earlierOf = batchCalls((queries: readonly EarlierQuery[]) => readPostgresEarlier(database, queries));
  const readEarlier = (query: RunQuery, account?: Account): Promise<Result<Earlier>> => {
    const asked = earlierOf({ query, account }).catch((error: unknown) => {
      const failure = failed(databaseProblem(error, place));
      return { schema: failure, earlier: failure };
    });
    const first = (checked ??= asked.then(({ schema }) => schema));
    // A process that found the tables of its version continues after a newer one has added to them.
    return asked.then(async ({ earlier }) => {
      const schema = await first;
      return schema.ok ? earlier : schema;
    });
  };
  /** The same methods: these read, and all others write. */
  const checking = <T extends Readonly<Record<keyof T, Method>>>(
    methods: T,
    reads: readonly (keyof T)[],
  ): T => {
    const entries = Object.entries<Method>(methods).map(([name, method]) => {
      const guard = reads.includes(name as keyof T) ? reading : writing;
      return [name, (...given: Parameters<Method>) => guard(() => method(...given))];
    });
    return Object.fromEntries(entries) as T;
  };
  return {
    place,
    clockSkewMs: check,
    acquire: (account, request) => writing(() => acquireLease(database, account, request)),
    holder: (account) => reading(async () => ok(await leaseHolder(database, account))),
    unlock: (account, epoch) => writing(async () => ok(await breakLease(database, account, epoch))),
    startRun: (lease, head) =>
      writing((skewMs) =>
        createPostgresJournal(database, lease, { ...head, clock: shifted(head.clock, skewMs) }),
      ),
    async listRuns(query) {
      const earlier = await readEarlier(query);
      return earlier.ok ? ok(earlier.value.runs, earlier.problems) : earlier;
    },
    readEarlier: (account, query) => readEarlier(query, account),
    readRun: (runId) => reading(() => readPostgresRun(database, runId)),
    runIds: () =>
      reading(async () => {
        const { rows } = await sql<{ readonly run_id: string }>`select run_id from rampart.run`.execute(db);
        return ok(rows.map(({ run_id: id }) => id));
      }),
    sealsOf: (runIds) => reading(async () => ok(await sealPostgresRuns(database, runIds))),
    readFleet: (account) => reading(() => readPostgresFleet(database, accountKey(account))),
    saveFleet: (account, observed, earlier = []) =>
      writing(() => savePostgresFleet(database, { account, observed, earlier })),
    async listTimes(account) {
      const earlier = await readEarlier({ limit: 0 }, account);
      return earlier.ok ? ok(earlier.value.listTimes) : earlier;
    },
    saveListTimes: (account, times) => writing(() => savePostgresListTimes(database, account, times)),
    eachFleet: (visit) => reading(() => eachPostgresFleet(database, visit)),
    importRun: (run) => writing(() => importPostgresRun(database, run)),
    removeRuns: (runIds) => writing(async () => ok(await removePostgresRuns(database, runIds))),
    listLocks: () => reading(async () => ok(await listLeases(database))),
    migrate: () =>
      attempt(async () => {
        checked = undefined;
        return ok({ applied: await migrate(db) });
      }),
    audit: signedAudit(checking(postgresAudit(database), ['latest', 'page', 'readHead']), keys, memory),
    rollouts: checking(postgresRollouts(database), ['readPlan', 'read', 'list']),
    inventories: checking(postgresInventories(database), ['read', 'keys']),
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

type Method = (...given: never[]) => Promise<Result<unknown>>;

function shifted(clock: Clock, byMs: number): Clock {
  return { now: () => clock.now() + byMs, sleep: (ms, signal) => clock.sleep(ms, signal) };
}

/** The runs of a query, and when the lists of an account were last read. */
interface EarlierQuery {
  readonly query: RunQuery;
  /** Absent: no times are requested. */
  readonly account?: Account | undefined;
}

interface CheckedEarlier {
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
async function readPostgresEarlier(
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
