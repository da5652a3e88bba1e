import { type RawBuilder, sql } from 'kysely';
import { quoted } from '../../../core/lib/words.ts';
import { accountKey, accountOfRecord } from '../../../core/model/account.ts';
import { failed, ok, type Problem, problem, type Result, warning } from '../../../core/problem/problem.ts';
import type { ListedRun, RecordedRun, RunQuery } from '../interface/state.ts';
import { runIdAfter } from '../journal/journal-on.ts';
import type { Run } from '../journal/parse-run.ts';
import type { JournalRecord } from '../journal/record.ts';
import { recordSchema } from '../journal/record-schema.ts';
import { digestFrom, sumUp } from '../journal/run-digest.ts';
import { lockHolderSchema } from '../lease/lease-holder.ts';
import type { Database } from './connect.ts';
import { inTransaction, toJson } from './in-transaction.ts';
import { rowsAsTable, startRows } from './record-rows.ts';

export interface RunTableRow {
  readonly run_id: string;
  readonly head: unknown;
  /** The record of its end, or its last record. */
  readonly last: unknown;
  /** The holder of the lease, if the run has it now. */
  readonly holder: unknown;
  readonly done: number | null;
  /** For a run that did not end: the records that later runs need. */
  readonly remembered: readonly unknown[] | null;
}

/** The account and the time of a query as parts of a statement, which may be columns of a table of queries. */
export interface RunScope {
  readonly account?: RawBuilder<unknown> | undefined;
  /** The first id of a run that began since the time of the query. */
  readonly since?: RawBuilder<unknown> | undefined;
}

export function firstRunIdOf(since: number): string {
  return runIdAfter(since - 1);
}

/**
 * Reads no records of runs that ended. Those that did not are selected separately: otherwise, PostgreSQL expects to read
 * the records of a third of all runs, and takes longer to compile the statement than to carry it out.
 */
export function selectRuns(query: RunQuery, scope: RunScope): RawBuilder<RunTableRow> {
  const { limit, atLeast = 0 } = query;
  const conditions = sql.join(conditionsOf(query, scope), sql` and `);
  return sql<RunTableRow>`
    with run as materialized (
      select * from rampart.run where ${conditions} and ${recentEnough(scope, atLeast, conditions)}
      order by run_id desc limit ${limit ?? null}
    )
    select run_id, head, last, null::jsonb as holder, null::integer as done, null::jsonb as remembered
    from run where last is not null
    union all
    select run_id, head,
      (select body from rampart.record where run_id = run.run_id order by seq desc limit 1),
      (select holder from ${leaseOfRun}),
      (select count(*)::integer from rampart.record
        where run_id = run.run_id and type = 'outcome' and body ->> 'outcome' in ('done', 'already')),
      (select jsonb_agg(body order by seq) from rampart.record
        where run_id = run.run_id and kind in ('antivirus', 'refresh', 'delete'))
    from run where last is null
    order by run_id desc
  `;
}

/** The lease that a run holds now. */
const leaseOfRun = sql`rampart.lease where lease.account = run.account and lease.holder is not null
  and lease.epoch = (run.head ->> 'epoch')::integer and lease.until > clock_timestamp()`;

export function lineDigests(rows: readonly RunTableRow[]): Result<readonly ListedRun[]> {
  const runs: ListedRun[] = [];
  const problems: Problem[] = [];
  for (const row of rows) {
    const digest = toDigest(row);
    if (digest === undefined)
      problems.push(warning('journal', `the record of run ${row.run_id} can't be understood`));
    else runs.push(digest);
  }
  return ok(runs, problems);
}

/** Ids of runs sort by time, so a limit for ids means that older runs are not read at all. */
function recentEnough({ since }: RunScope, atLeast: number, conditions: RawBuilder<unknown>) {
  if (since === undefined) return sql`true`;
  return sql`run_id >= least(${since}, (
    select min(run_id) from (
      select run_id from rampart.run where ${conditions} order by run_id desc limit ${atLeast}
    ) as latest
  ))`;
}

/** The indexes of the table `run` use the same expressions. */
function conditionsOf({ before, until, actor, commit, state }: RunQuery, { account }: RunScope) {
  const conditions = {
    account: account && sql`account = ${account}`,
    before: before === undefined ? undefined : sql`run_id < ${before}`,
    until: until === undefined ? undefined : sql`run_id < ${runIdAfter(until)}`,
    actor: actor === undefined ? undefined : sql`head #>> '{origin,actor}' = ${actor}`,
    commit:
      commit === undefined
        ? undefined
        : sql`(head #>> '{origin,commit}') collate "C" between ${commit} and ${`${commit}${lastCharacter}`}`,
    state: state && stateConditions[state],
  };
  return [sql`true`, ...Object.values(conditions).filter((each) => each !== undefined)];
}

/** Every text that begins with a prefix sorts before the prefix and this character. */
const lastCharacter = '\u{10ffff}';

const stateConditions = {
  completed: sql`last ->> 'exit_code' = '0'`,
  incomplete: sql`last ->> 'exit_code' <> '0'`,
  crashed: sql`last is null and not exists (select from ${leaseOfRun})`,
  running: sql`last is null and exists (select from ${leaseOfRun})`,
} as const;

function toDigest({ head, last, holder, done, remembered }: RunTableRow): ListedRun | undefined {
  const first = recordSchema.safeParse(head).data;
  if (first?.type !== 'run') return undefined;
  const latest = recordSchema.safeParse(last).data ?? first;
  const records = recordsOf(remembered ?? []);
  if (records === undefined) return undefined;
  const digest = digestFrom(first, latest, () => ({ ...sumUp({ head: first, records }), done: done ?? 0 }));
  const current = lockHolderSchema.safeParse(holder).data;
  return current === undefined ? digest : { ...digest, state: 'running', holder: current };
}

function recordsOf(bodies: readonly unknown[]): readonly JournalRecord[] | undefined {
  const parsed = bodies.map((body) => recordSchema.safeParse(body).data);
  return parsed.every((record) => record !== undefined) ? parsed : undefined;
}

export async function readPostgresRun({ db }: Database, runId: string): Promise<Result<RecordedRun>> {
  const hint = 'list the runs with: rampart runs';
  const { rows: found } = await sql<Pick<RunTableRow, 'head' | 'holder'>>`
    select head, case when last is null then (select holder from ${leaseOfRun}) end as holder
    from rampart.run where run_id = ${runId}
  `.execute(db);
  const [row] = found;
  if (row === undefined) return failed(problem('usage', `run ${quoted(runId)} does not exist`, { hint }));
  const { rows } = await sql<{ readonly body: unknown }>`
    select body from rampart.record where run_id = ${runId} order by seq
  `.execute(db);
  const records = recordsOf([row.head, ...rows.map(({ body }) => body)]);
  const head = records?.[0];
  if (records === undefined || head?.type !== 'run')
    return failed(problem('journal', `the record of run ${quoted(runId)} can't be understood`));
  const holder = lockHolderSchema.safeParse(row.holder).data;
  return ok({ head, records, torn: false, ...(holder === undefined ? {} : { holder }) });
}

/** The number of records in one statement. */
const portion = 5_000;

/** Imports the whole run or nothing. */
export async function importPostgresRun({ db }: Database, { head, records }: Run): Promise<Result<boolean>> {
  const account = accountKey(accountOfRecord(head.account));
  const end = records.at(-1)?.type === 'end' ? records.at(-1) : null;
  const rows = records.slice(1).map(startRows());
  return inTransaction(db, async (transaction) => {
    const { rows: created } = await sql`
      insert into rampart.run (run_id, account, head, started_at, last)
      values (${head.run_id}, ${account}, ${toJson(head)}, ${head.at}::timestamptz,
        nullif(${toJson(end)}, 'null'::jsonb))
      on conflict do nothing returning run_id
    `.execute(transaction);
    if (created.length === 0) return ok(false);
    for (let from = 0; from < rows.length; from += portion) {
      await sql`
        insert into rampart.record (run_id, seq, type, kind, body)
        select ${head.run_id}, row.seq, row.type, row.kind, row.body
        from ${rowsAsTable(rows.slice(from, from + portion))}
      `.execute(transaction);
    }
    return ok(true);
  });
}

export async function removePostgresRuns({ db }: Database, runIds: readonly string[]): Promise<number> {
  const { rows } = await sql`
    delete from rampart.run where run_id = any(${[...runIds]}::text[]) returning run_id
  `.execute(db);
  return rows.length;
}
