import { sql } from 'kysely';
import { batchCalls } from '../../../core/lib/batch-calls.ts';
import type { Clock } from '../../../core/lib/surroundings.ts';
import type { Account } from '../../../core/model/account.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import type { AuditKeys } from '../audit/audit-keys.ts';
import { type HeadMemory, signedAudit } from '../audit/sign-audit.ts';
import type { Earlier, RunQuery, State } from '../interface/state.ts';
import { checkSchema } from './check-schema.ts';
import { connectDatabase, type Database } from './connect.ts';
import { databaseProblem } from './database-problem.ts';
import { migrate } from './migrations.ts';
import { postgresAudit } from './postgres-audit.ts';
import { type EarlierQuery, readPostgresEarlier } from './postgres-earlier.ts';
import { eachPostgresFleet, readPostgresFleet, savePostgresFleet } from './postgres-fleets.ts';
import { postgresInventories } from './postgres-inventories.ts';
import { createPostgresJournal } from './postgres-journal.ts';
import { acquireLease, breakLease, leaseHolder, listLeases } from './postgres-lease.ts';
import { savePostgresListTimes } from './postgres-list-times.ts';
import { postgresRollouts } from './postgres-rollouts.ts';
import { importPostgresRun, readPostgresRun, removePostgresRuns } from './postgres-runs.ts';
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
  const audit = postgresAudit(database);
  const rollouts = postgresRollouts(database);
  const inventories = postgresInventories(database);
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
        const rows = await db.selectFrom('rampart.run').select('run_id').execute();
        return ok(rows.map(({ run_id: id }) => id));
      }),
    sealsOf: (runIds) => reading(async () => ok(await sealPostgresRuns(database, runIds))),
    readFleet: (account) => reading(() => readPostgresFleet(database, account)),
    saveFleet: (account, observed, earlier = []) =>
      writing(async () => {
        await savePostgresFleet(database, { account, observed, earlier });
        return ok(null);
      }),
    async listTimes(account) {
      const earlier = await readEarlier({ limit: 0 }, account);
      return earlier.ok ? ok(earlier.value.listTimes) : earlier;
    },
    saveListTimes: (account, times) =>
      writing(async () => {
        await savePostgresListTimes(database, account, times);
        return ok(null);
      }),
    eachFleet: (visit) => reading(() => eachPostgresFleet(database, visit)),
    importRun: (run) => writing(() => importPostgresRun(database, run)),
    removeRuns: (runIds) => writing(async () => ok(await removePostgresRuns(database, runIds))),
    listLocks: () => reading(async () => ok(await listLeases(database))),
    migrate: () =>
      attempt(async () => {
        checked = undefined;
        return ok({ applied: await migrate(db) });
      }),
    audit: signedAudit(
      {
        append: (clock, entries) => writing(() => audit.append(clock, entries)),
        latest: (count) => reading(() => audit.latest(count)),
        page: (cursor) => reading(() => audit.page(cursor)),
        restore: (records) => writing(() => audit.restore(records)),
        readHead: () => reading(() => audit.readHead()),
        saveHead: (head, isFirst) => writing(() => audit.saveHead(head, isFirst)),
      },
      keys,
      memory,
    ),
    rollouts: {
      create: (head) => writing(() => rollouts.create(head)),
      savePlan: (id, account, text) => writing(() => rollouts.savePlan(id, account, text)),
      readPlan: (id, account) => reading(() => rollouts.readPlan(id, account)),
      append: (id, revision, events, lease) => writing(() => rollouts.append(id, revision, events, lease)),
      read: (id) => reading(() => rollouts.read(id)),
      list: () => reading(() => rollouts.list()),
      remove: (ids) => writing(() => rollouts.remove(ids)),
    },
    inventories: {
      read: (key) => reading(() => inventories.read(key)),
      save: (key, text) => writing(() => inventories.save(key, text)),
      keys: () => reading(() => inventories.keys()),
    },
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

function shifted(clock: Clock, byMs: number): Clock {
  return { now: () => clock.now() + byMs, sleep: (ms, signal) => clock.sleep(ms, signal) };
}
