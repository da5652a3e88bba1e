import type { Observed } from '../../core/model/observed.ts';
import type { StepOutcome } from '../../core/model/run-event.ts';
import type { WriteAction } from '../../core/model/write-action.ts';
import type { PendingInstall } from '../../core/plan/types/plan.ts';
import type { Step } from '../../core/plan/types/step.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { FailedHost } from './step-result.ts';

/** What became of one step. */
export interface StepSummary {
  readonly step: Step;
  readonly outcome: StepOutcome;
  readonly problem?: Problem;
  /** Hosts of a batch that are not as intended, with the reason for each. */
  readonly failedHosts: readonly FailedHost[];
}

/** The account of a whole run: every step has one line in it. */
export interface RunSummary {
  readonly runId: string;
  readonly steps: readonly StepSummary[];
  /** Stale plan, verification, quota: what is not one step's own affair. Step problems are not repeated here. */
  readonly problems: readonly Problem[];
  /** Installs that were requested, by this run or before it, or may have been, and that no read shows. */
  readonly pendingInstalls: readonly PendingInstall[];
  /** Requests of the plan's kinds, as sent, refused and repeated ones included. */
  readonly sent: Readonly<Record<WriteAction, number>>;
  /** Stopped at a safe point by a signal. */
  readonly interrupted: boolean;
  /**
   * Does a read after the last call show the fleet as planned, but for installs that are pending? Null: not verified
   * (stopped, steps are left, or the list was not to be had).
   */
  readonly verified: boolean | null;
  /** The same with no install pending; null if one is, because its result is unknown. */
  readonly converged: boolean | null;
  /** The read that verified the run; null if there was none. */
  readonly lastRead: Observed | null;
  /** The fleet as the run left it, as far as it knows; null if it did not get to read it. */
  readonly left: Observed | null;
}
