import type { RunEvent } from '../../core/model/run-event.ts';
import type { ReadMetrics } from './metric-reading.ts';

/** The events for telemetry: those of a run, and those of the command or the job of a server around it. */
export type TelemetryEvent =
  | WorkEvent
  | CommandStart
  | { readonly type: 'command_end'; readonly exitCode: number; readonly ms: number }
  | JobStart
  | { readonly type: 'job_event'; readonly job: string; readonly account: string; readonly event: WorkEvent }
  | { readonly type: 'job_end'; readonly job: string; readonly isFailed: boolean }
  /** The metrics of a server, from now on. */
  | { readonly type: 'metrics'; readonly read: ReadMetrics }
  /** A signal was received. */
  | { readonly type: 'interrupted' }
  /** A defect of Rampart. */
  | { readonly type: 'crash'; readonly message: string; readonly stack: string };

/** What happens while the fleet of one account is read or changed. */
export type WorkEvent =
  | Exclude<RunEvent, { readonly type: 'apply_start' | 'apply_end' | 'step_start' }>
  | { readonly type: 'run_start'; readonly runId: string; readonly steps: number; readonly calls: number }
  | { readonly type: 'run_end'; readonly runId: string; readonly exitCode: number; readonly ms: number }
  | StepStart;

/** A server works several jobs at once. */
export interface JobStart {
  readonly type: 'job_start';
  /** Differs for all jobs of this process. */
  readonly job: string;
  readonly kind: 'check' | 'run';
  readonly account: string;
}

export interface CommandStart {
  readonly type: 'command_start';
  /** `hosts inventory pull` */
  readonly command: string;
  /** As typed, without secrets. */
  readonly argv: readonly string[];
  readonly version: string;
}

export interface StepStart {
  readonly type: 'step_start';
  readonly step: string;
  readonly kind: string;
  readonly hosts: number;
  /** Ids and names of the step's changes, in the format of the event stream. */
  readonly target: Readonly<Record<string, unknown>>;
}

export type Hear = (event: TelemetryEvent) => void;
