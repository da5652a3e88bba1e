import type { Problem } from '../problem/problem.ts';
import type { ProblemCode } from '../problem/problem-code.ts';
import type { WriteAction } from './write-action.ts';

/** The events of a run, which the journal, the progress line, NDJSON and telemetry read. */
export type RunEvent =
  | { readonly type: 'apply_start'; readonly runId: string; readonly steps: number; readonly calls: number }
  | { readonly type: 'step_start'; readonly step: string; readonly kind: string; readonly hosts: number }
  | {
      readonly type: 'step_end';
      readonly step: string;
      readonly kind: string;
      readonly outcome: StepOutcome;
      /** Hosts of a failed batch that did not get their intended state; absent if none of them did. */
      readonly failedHosts?: number;
      readonly done: number;
      readonly of: number;
    }
  /** The service limits an action. The next call is sent in this many milliseconds. */
  | { readonly type: 'waiting'; readonly action: string; readonly ms: number }
  | CallEvent
  /** A call failed in a way that may be temporary, and is repeated after this many milliseconds. */
  | { readonly type: 'retry'; readonly action: string; readonly code: ProblemCode; readonly ms: number }
  | { readonly type: 'diagnostic'; readonly problem: Problem }
  | {
      readonly type: 'apply_end';
      readonly runId: string;
      readonly sent: Readonly<Record<WriteAction, number>>;
    };

/** One request to the service. It contains no name, id or text from the service. */
export interface CallEvent {
  readonly type: 'call';
  readonly action: string;
  readonly method: string;
  /** The path's template, with parameters as `{host-id}`. */
  readonly path: string;
  /** Null when no response came. */
  readonly status: number | null;
  readonly ms: number;
  /** The number of this request within its call, from 1. */
  readonly attempt: number;
  /** How long it waited for its turn, in milliseconds. */
  readonly waitedMs: number;
  /** The step that it belongs to; absent for reads that serve many steps. */
  readonly step?: string;
}

/**
 * `done` by this run; `already` as intended, so nothing was sent; `failed`: the service refused it; `unknown`: sent
 * without a response, and no read has settled it; `skipped` because a step that it waits for was not done;
 * `not-started` because the run stopped before it.
 */
export const stepOutcomes = ['done', 'already', 'failed', 'unknown', 'skipped', 'not-started'] as const;
export type StepOutcome = (typeof stepOutcomes)[number];

/** Is everything as the step intends, whoever did it? */
export function isDoneOutcome(outcome: StepOutcome | undefined): boolean {
  return outcome === 'done' || outcome === 'already';
}

export type OnEvent = (event: RunEvent) => void;
