import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Subject, Visible } from '../../../api/access/grants.ts';
import { type RunEventRow, type RunRow, runRow } from '../../../api/runs.ts';
import { isOpenRun, type ServerRunState } from '../../../api/states.ts';
import type { Result } from '../../../core/problem/problem.ts';
import { jsonRows, nowInJson, toJson } from '../../../run/state/postgres/in-transaction.ts';
import {
  type ListPage,
  type PageRequest,
  pageLimit,
  readCursor,
  timeKey,
  toListPage,
} from '../../database/page.ts';
import { ifGiven, type StoreDb, statesOfOpenRuns, visibleRows } from '../../database/query.ts';
import type { Stored } from '../../database/stored.ts';
import { changeAndAnnounce } from '../../events/records/append-events.ts';

export type RunSteps = Readonly<RunRow['steps']>;

export interface ServerRun {
  readonly id: string;
  readonly account: string;
  readonly plan: string | null;
  /** The id of the run in the shared state, once it began. */
  readonly journal: string | null;
  readonly state: ServerRunState;
  readonly by: Subject | null;
  /** Who requested the stop of the run. */
  readonly stopBy: Subject | null;
  readonly reason: string | null;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly exitCode: number | null;
  readonly steps: RunSteps;
  /** Who lets the run begin and go on while a change window is closed, and why. */
  readonly override: WindowOverride | null;
  /** Additional data for the page of the run, as the worker wrote it. */
  readonly progress: Readonly<Record<string, unknown>>;
}

const ended = runRow.pick({ installs_in_doubt: true, unverified: true });

/**
 * Why a run is not done although all its steps are; absent if nothing is left. Another version's worker may have
 * written something else, which counts as absent.
 */
export function unprovenOf({ progress }: Pick<ServerRun, 'progress'>): z.output<typeof ended> {
  return ended.safeParse(progress).data ?? {};
}

export type WindowOverride = NonNullable<RunRow['override']>;

/** Why a queued run can't begin yet. */
export type RunWait = NonNullable<RunRow['waits_for']>;

export interface NewRun {
  readonly account: string;
  readonly plan: string | null;
  readonly by: Subject | null;
  readonly reason: string | null;
  /** The number of steps. */
  readonly steps: number;
}

export interface RunChange {
  readonly state?: ServerRunState;
  readonly journal?: string;
  readonly steps?: RunSteps;
  readonly progress?: Readonly<Record<string, unknown>>;
  readonly exitCode?: number;
}

export type RunEventRecord = Stored<RunEventRow, 'at'>;

export type RunLine = Readonly<Pick<RunEventRow, 'type' | 'text'> & Partial<Pick<RunEventRow, 'step'>>>;

export interface RunEventQuery {
  readonly visible: Visible;
  /** Only lines after the one with this number, from there on. */
  readonly after?: number | undefined;
  /** Only lines before the one with this number. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ServerRunQuery extends PageRequest {
  readonly account?: string | undefined;
  readonly states?: readonly ServerRunState[] | undefined;
  readonly plan?: string | undefined;
}

const columns = sql`run.id, run.account, run.plan, run.journal, run.state, run.by, run.stop_by as "stopBy", run.reason,
  run.queued_at as "queuedAt", run.started_at as "startedAt", run.ended_at as "endedAt",
  run.exit_code as "exitCode", run.steps, run.override, run.progress`;

export function runsOn(db: StoreDb) {
  /** The run, if the statement changed one. */
  const changed = async (statement: RawBuilder<ServerRun>): Promise<ServerRun | undefined> =>
    (await changeAndAnnounce(db, statement, (runs) => runs.map(eventOf)))[0];
  const change = (id: string, parts: RunChange, stopBy?: Subject): Promise<ServerRun | undefined> => {
    const { state = null, journal = null, steps, progress, exitCode = null } = parts;
    const ends = state !== null && !isOpenRun(state);
    return changed(sql`
        update rampart_server.run set journal = coalesce(${journal}, journal),
          steps = coalesce(nullif(${toJson(steps)}, 'null'::jsonb), steps),
          progress = coalesce(nullif(${toJson(progress)}, 'null'::jsonb), progress),
          -- A worker that reports progress or postpones the run takes back no request to stop.
          state = case when state = 'stopping' and ${state} in ('queued', 'running') then state
            else coalesce(${state}, state) end,
          exit_code = coalesce(${exitCode}::integer, exit_code),
          stop_by = coalesce(nullif(${toJson(stopBy)}, 'null'::jsonb), stop_by),
          started_at = case when ${state === 'running'} then coalesce(started_at, clock_timestamp()) else started_at end,
          ended_at = case when ${ends} then clock_timestamp() end
        where id = ${id} and run.state in (${statesOfOpenRuns}) returning ${columns}
      `);
  };
  return {
    /** Undefined if a run of the account is queued or in progress. */
    queue({ account, plan, by, reason, steps }: NewRun): Promise<ServerRun | undefined> {
      const none: RunSteps = { total: steps, done: 0, failed: 0, in_doubt: 0, in_progress: 0, skipped: 0 };
      return changed(sql`
          insert into rampart_server.run (id, account, plan, state, by, reason, steps)
          values (${randomUUID()}, ${account}, ${plan}, 'queued', nullif(${toJson(by)}, 'null'::jsonb), ${reason},
            ${toJson(none)})
          on conflict (account) where state in (${statesOfOpenRuns}) do nothing
          returning ${columns}
        `);
    },

    /** Latest first. */
    async list(query: ServerRunQuery): Promise<Result<ListPage<ServerRun>>> {
      const cursor = readCursor(query.cursor, timeKey);
      if (!cursor.ok) return cursor;
      const limit = pageLimit(query.limit);
      const { rows } = await sql<ServerRun>`
        select ${columns} from rampart_server.run
        where ${visibleRows(query.visible, sql`account`)}
          and ${ifGiven(query.account, (account) => sql`account = ${account}`)}
          and ${ifGiven(query.states, (states) => sql`state = any(${states}::text[])`)}
          and ${ifGiven(query.plan, (plan) => sql`plan = ${plan}`)}
          and ${ifGiven(cursor.value, (after) => sql`(queued_at, id) < (${after[0]}::timestamptz, ${after[1]})`)}
        order by queued_at desc, id desc limit ${limit + 1}
      `.execute(db);
      return toListPage(rows, limit, ({ queuedAt, id }) => [queuedAt.toISOString(), id]);
    },

    async find(id: string, visible: Visible): Promise<ServerRun | undefined> {
      const { rows } = await sql<ServerRun>`
        select ${columns} from rampart_server.run where id = ${id} and ${visibleRows(visible, sql`account`)}
      `.execute(db);
      return rows[0];
    },

    /** The latest run of each account that applies a plan with one of these checksums. */
    async ofPlans(checksums: readonly string[], visible: Visible): Promise<readonly ServerRun[]> {
      const { rows } = await sql<ServerRun>`
        select distinct on (run.account) ${columns}
        from rampart_server.run join rampart_server.plan on plan.id = run.plan
        where plan.checksum = any(${checksums}::text[]) and ${visibleRows(visible, sql`run.account`)}
        order by run.account, run.queued_at desc
      `.execute(db);
      return rows;
    },

    /** Writes progress, a new state or the end, and appends an event. Undefined if the run has already ended. */
    change: (id: string, parts: RunChange): Promise<ServerRun | undefined> => change(id, parts),

    /** Writes how far a run is, which decides nothing. */
    note: (
      id: string,
      parts: Pick<RunChange, 'journal' | 'steps' | 'progress'>,
    ): Promise<ServerRun | undefined> => change(id, parts),

    /** Asks a run that is queued or in progress to stop; undefined if it has ended. */
    requestStop: (id: string, by: Subject): Promise<ServerRun | undefined> =>
      change(id, { state: 'stopping' }, by),

    /**
     * Lets a run begin and go on while a change window is closed. Undefined if it has ended, someone stops it, or someone
     * has overridden its windows already.
     */
    overrideWindows: (id: string, by: Subject, reason: string): Promise<ServerRun | undefined> =>
      changed(sql`
        update rampart_server.run set override =
          ${toJson({ by, reason })} || jsonb_build_object('at', ${nowInJson})
        where id = ${id} and state in ('queued', 'running') and override is null returning ${columns}
      `),

    /** Appends lines to the log of a run, in their order, and one event. */
    async log(id: string, lines: readonly RunLine[]): Promise<void> {
      if (lines.length === 0) return;
      await changeAndAnnounce(
        db,
        sql<{ account: string; seq: number }>`
          with given as (
            select * from ${jsonRows(
              lines.map((line, index) => ({ ...line, number: index + 1 })),
              'number integer, type text, step text, text text',
            )}
          ),
          written as (
            insert into rampart_server.run_event (run, seq, type, step, text)
            select run.id, number + coalesce((select max(seq) from rampart_server.run_event where run = run.id), 0),
              type, step, text
            from given cross join rampart_server.run where run.id = ${id}
            returning seq
          )
          select (select account from rampart_server.run where id = ${id}) as account, max(seq) as seq from written
          having max(seq) is not null
        `,
        (rows) =>
          rows.map(({ account, seq }) => ({ type: 'run.event', account, resource: id, data: { seq } })),
      );
    },

    /** A part of the log of a run, in its order: the last lines, unless `after` sets the start. */
    async events(
      id: string,
      { visible, after, before, limit }: RunEventQuery,
    ): Promise<readonly RunEventRecord[]> {
      const { rows } = await sql<RunEventRecord>`
        select run_event.seq, run_event.at, run_event.type, run_event.step, run_event.text
        from rampart_server.run_event join rampart_server.run on run.id = run_event.run
        where run.id = ${id} and ${visibleRows(visible, sql`run.account`)}
          and ${after === undefined ? sql`true` : sql`run_event.seq > ${after}::bigint`}
          and ${before === undefined ? sql`true` : sql`run_event.seq < ${before}::bigint`}
        order by run_event.seq ${after === undefined ? sql`desc` : sql`asc`} limit ${pageLimit(limit)}
      `.execute(db);
      return after === undefined ? rows.reverse() : rows;
    },
  };
}

function eventOf({ id, account, state, steps }: ServerRun) {
  const { total, done, failed, in_doubt } = steps;
  return {
    type: 'run.changed',
    account,
    resource: id,
    data: { state, total, done, failed, in_doubt },
  } as const;
}
