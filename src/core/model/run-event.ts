import type { Problem } from '../problem/problem.ts';
import type { ProblemCode } from '../problem/problem-code.ts';
import type { WriteAction } from './write-action.ts';

/** The events of a run: the journal, the progress line, NDJSON and telemetry all read these. */
export type RunEvent =
  | { readonly type: 'apply_start'; readonly runId: string; readonly steps: number; readonly calls: number }
  | { readonly type: 'step_start'; readonly step: string; readonly kind: string; readonly hosts: number }
  | {
      readonly type: 'step_end';
      readonly step: string;
      readonly kind: string;
      readonly outcome: StepOutcome;
      readonly done: number;
      readonly of: number;
    }
  /** The service limits an action: when the next call of it goes out, in milliseconds from now. */
  | { readonly type: 'waiting'; readonly action: string; readonly ms: number }
  | CallEvent
  /** A call failed in a way that may pass, and goes out again after this many milliseconds. */
  | { readonly type: 'retry'; readonly action: string; readonly code: ProblemCode; readonly ms: number }
  | { readonly type: 'diagnostic'; readonly problem: Problem }
  | {
      readonly type: 'apply_end';
      readonly runId: string;
      readonly sent: Readonly<Record<WriteAction, number>>;
    };

/** One request to the service. No name, no id and no text of the service is in it. */
export interface CallEvent {
  readonly type: 'call';
  readonly action: string;
  readonly method: string;
  /** The path's template, parameters as `{host-id}`. */
  readonly path: string;
  /** Null when no response came. */
  readonly status: number | null;
  readonly ms: number;
  /** Which request of its call it is, from 1. */
  readonly attempt: number;
  /** How long it waited for its turn before, in milliseconds. */
  readonly waitedMs: number;
  /** The step that it is for; absent for reads that serve many. */
  readonly step?: string;
}

/**
 * `done` by this run; `already` found as wanted, nothing sent; `failed` refused by the service;
 * `unknown` sent, no reply, and not settled by a read; `skipped` because a step it waits for did not get done;
 * `not-started` because the run stopped before it.
 */
export type StepOutcome = 'done' | 'already' | 'failed' | 'unknown' | 'skipped' | 'not-started';

export type OnEvent = (event: RunEvent) => void;
