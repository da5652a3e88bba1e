import type { Observed } from '../../model/observed.ts';
import type { StepOutcome } from '../../model/run-event.ts';
import type { WriteAction } from '../../model/write-action.ts';
import type { Problem } from '../../problem/problem.ts';
import type { PendingInstall } from './plan.ts';
import type { Step } from './step.ts';

export interface FailedHost {
  readonly hostId: string;
  readonly problem: Problem;
  /** The call was sent without a response: the host may still have the intended state. */
  readonly inDoubt?: boolean;
}

/** The result of one step. */
export interface StepSummary {
  readonly step: Step;
  readonly outcome: StepOutcome;
  readonly problem?: Problem;
  /** Hosts of a batch whose state is not the intended one, each with the reason. */
  readonly failedHosts: readonly FailedHost[];
}

/** The summary of a whole run, with one item for every step. */
export interface RunSummary {
  readonly runId: string;
  readonly steps: readonly StepSummary[];
  /** Problems of the whole run: stale plan, verification, quota. The problems of steps are not repeated here. */
  readonly problems: readonly Problem[];
  /** Why records of the run, or files that a flag requests, could not be written; empty if all were. */
  readonly unrecorded: readonly Problem[];
  /** Installs that this or an earlier run requested, or may have requested, and that no read shows. */
  readonly pendingInstalls: readonly PendingInstall[];
  /** Requests of the plan's kinds, including refused and repeated ones. */
  readonly sent: Readonly<Record<WriteAction, number>>;
  /** Whether a signal stopped it at a safe point. */
  readonly interrupted: boolean;
  /**
   * Does a read after the last call show the fleet as planned, except for pending installs? Null: not verified
   * (stopped, steps are left, or the list was unavailable).
   */
  readonly verified: boolean | null;
  /** The same with no install pending and no host left out; null if one is, because the result is unknown. */
  readonly converged: boolean | null;
  /** The read that verified the run; null if there was none. */
  readonly lastRead: Observed | null;
  /** The read before the first call; absent if there was none. */
  readonly before?: Observed;
  /** The fleet after the run, as far as known; null if the run did not read it. */
  readonly left: Observed | null;
}

/** Someone else has changed a host of the step's unit: that is for the next plan, and no failure. */
export function isLeftOut({ outcome, problem: cause }: StepSummary): boolean {
  return outcome === 'skipped' && cause?.code === 'stale-plan';
}
