import type { Result } from '../../core/problem/result.ts';
import { notBuilt } from './not-built.ts';
import type { Page, PageRequest } from './page.ts';
import type { StoreDb, Subject } from './tables.ts';
import type { Visible } from './visible.ts';

export type ServerRunState =
  | 'queued'
  | 'running'
  | 'stopping'
  | 'done'
  | 'failed'
  | 'in_doubt'
  | 'stopped'
  | 'crashed';

export interface RunSteps {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly in_doubt: number;
  readonly in_progress: number;
  readonly skipped: number;
}

export interface RunRecord {
  readonly id: string;
  readonly account: string;
  readonly plan: string | null;
  /** The id of the run in the shared state, once it began. */
  readonly journal: string | null;
  readonly state: ServerRunState;
  readonly by: Subject | null;
  /** Who asked for the run to stop. */
  readonly stopBy: Subject | null;
  readonly reason: string | null;
  readonly queuedAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly exitCode: number | null;
  readonly steps: RunSteps;
  /** What the page of the run shows in addition, as the worker wrote it. */
  readonly progress: Readonly<Record<string, unknown>>;
}

export interface NewRun {
  readonly account: string;
  readonly plan: string | null;
  readonly by: Subject | null;
  readonly reason: string | null;
  readonly steps: number;
}

export interface RunChange {
  readonly state?: ServerRunState;
  readonly journal?: string;
  readonly steps?: RunSteps;
  readonly progress?: Readonly<Record<string, unknown>>;
  readonly exitCode?: number;
}

export interface RunEventRecord {
  readonly seq: number;
  readonly at: Date;
  readonly type: string;
  readonly step: string | null;
  readonly text: string;
}

export interface ServerRunQuery extends PageRequest {
  readonly account?: string | undefined;
  readonly states?: readonly ServerRunState[] | undefined;
  readonly plan?: string | undefined;
}

export type Runs = ReturnType<typeof runsOn>;

export function runsOn(_db: StoreDb) {
  return {
    /** Undefined if a run of the account is queued or in progress. */
    queue: (_run: NewRun): Promise<RunRecord | undefined> => notBuilt(),
    /** Latest first. */
    list: (_query: ServerRunQuery): Promise<Result<Page<RunRecord>>> => notBuilt(),
    find: (_id: string, _visible: Visible): Promise<RunRecord | undefined> => notBuilt(),
    /** Writes progress, a new state or the end, and appends an event. A run that has ended stays as it is. */
    change: (_id: string, _change: RunChange): Promise<RunRecord | undefined> => notBuilt(),
    /** Asks a run that is queued or in progress to stop; undefined if it has ended. */
    requestStop: (_id: string, _by: Subject): Promise<RunRecord | undefined> => notBuilt(),
    /** Appends lines to the log of a run, in their order, and one event. */
    log: (
      _id: string,
      _lines: readonly { readonly type: string; readonly step?: string; readonly text: string }[],
    ): Promise<void> => notBuilt(),
    /** The log of a run after a line. */
    events: (
      _id: string,
      _query: { readonly visible: Visible; readonly after?: number; readonly limit?: number },
    ): Promise<readonly RunEventRecord[]> => notBuilt(),
  };
}
