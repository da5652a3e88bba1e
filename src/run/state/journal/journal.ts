import type { StepOutcome } from '../../../core/model/run-event.ts';
import type { Pace } from '../../../core/plan/types/forecast.ts';
import type { Step, StepId } from '../../../core/plan/types/step.ts';
import type { Problem, Result } from '../../../core/problem/problem.ts';

/** One run's record on disk. Correctness never depends on it: a lost journal costs calls, not safety. */
export interface Journal {
  readonly runId: string;
  /** Resolves when the record is on disk, before the step's first request; fails if it can't be written. */
  begin(step: Step): Promise<Result<null>>;
  /** The outcome of a step; hosts with a different outcome are listed. */
  outcome(step: StepId, outcome: StepOutcome, details?: OutcomeDetails): Promise<void>;
  /** Fails if the end, or an outcome before it, is not on disk. `outcomes` are those of all steps, also from earlier runs. */
  end(exitCode: number, pace?: Pace, outcomes?: readonly StepOutcome[]): Promise<Result<unknown>>;
}

/** A journal whose records the audit log covers. */
export interface SealedJournal extends Journal {
  /** The digest of its first record. */
  readonly seal: string;
  /** The digest of all records. */
  end(exitCode: number, pace?: Pace): Promise<Result<string>>;
}

export interface OutcomeDetails {
  readonly problem?: Problem;
  /** Hosts of the step that do not have the desired state. */
  readonly failedHostIds?: readonly string[];
  /** Those of them that may still have the desired state; if absent, all or none, depending on the outcome. */
  readonly inDoubtHostIds?: readonly string[];
}
