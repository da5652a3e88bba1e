import type { RunEvent } from '../../core/model/run-event.ts';

/** The events for telemetry: those of a run, and those of the command around it. */
export type TelemetryEvent =
  | Exclude<RunEvent, { readonly type: 'apply_start' | 'apply_end' | 'step_start' }>
  | CommandStart
  | { readonly type: 'command_end'; readonly exitCode: number; readonly ms: number }
  | { readonly type: 'run_start'; readonly runId: string; readonly steps: number; readonly calls: number }
  | { readonly type: 'run_end'; readonly runId: string; readonly exitCode: number; readonly ms: number }
  | StepStart
  /** A signal was received. */
  | { readonly type: 'interrupted' }
  /** A defect of Rampart. */
  | { readonly type: 'crash'; readonly message: string; readonly stack: string };

export interface CommandStart {
  readonly type: 'command_start';
  /** `inventory pull` */
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
