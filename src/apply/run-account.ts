import type { Observed } from '../model/observed.ts';
import type { StepOutcome } from '../model/run-event.ts';
import type { WriteAction } from '../model/write-action.ts';
import type { Step } from '../plan/plan.ts';
import type { Problem } from '../problem/problem.ts';

/** What became of one step. */
export interface StepAccount {
  readonly step: Step;
  readonly outcome: StepOutcome;
  readonly problem?: Problem;
  /** Hosts of a batch that are not as wanted, with the reason for each. */
  readonly failedHosts: readonly { readonly hostId: string; readonly problem: Problem }[];
}

/** The account of a whole run: every step has one line in it. */
export interface RunAccount {
  readonly runId: string;
  readonly steps: readonly StepAccount[];
  /** Stale plan, verification, quota: what is not one step's own affair. Step problems are not repeated here. */
  readonly problems: readonly Problem[];
  /** Requests that change the fleet, as sent, refused and repeated ones included. */
  readonly sent: Readonly<Record<WriteAction, number>>;
  /** Stopped at a safe point by a signal. */
  readonly interrupted: boolean;
  /** Null: not verified (nothing was written, stopped, or the list was not to be had). */
  readonly converged: boolean | null;
  /** The read that verified the run; null where there was none. */
  readonly lastRead: Observed | null;
  /** The fleet as the run left it, as far as it knows; null where it did not get to read it. */
  readonly left: Observed | null;
}
