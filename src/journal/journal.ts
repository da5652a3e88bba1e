import type { Account } from '../model/account.ts';
import type { StepOutcome } from '../model/run-event.ts';
import type { Problem } from '../problem/problem.ts';
import type { Result } from '../problem/result.ts';
import type { Step, StepId } from '../plan/plan.ts';

/** What is written at the head of a run's file. */
export interface RunHeader {
  readonly runId: string;
  readonly startedAt: string;
  readonly account: Account;
  readonly planChecksum: string;
  readonly steps: number;
}

/** One run's record on disk. Correctness never depends on it: a lost journal costs calls, not safety. */
export interface Journal {
  readonly runId: string;
  /** Resolves when the record is on disk, before the step's first request; failed when it can't be written. */
  begin(step: Step): Promise<Result<null>>;
  /** What came of a step; hosts whose fate differs from the step's are named. */
  outcome(step: StepId, outcome: StepOutcome, details?: OutcomeDetails): Promise<void>;
  end(exitCode: number): Promise<void>;
}

export interface OutcomeDetails {
  readonly problem?: Problem;
  /** Hosts of a batch that were done although the step as a whole was not, or the other way round. */
  readonly doneHostIds?: readonly string[];
  readonly failedHostIds?: readonly string[];
}
