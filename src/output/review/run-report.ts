import type { StepOutcome } from '../../core/model/run-event.ts';
import type { WriteAction } from '../../core/model/write-action.ts';
import type { PendingInstall } from '../../core/plan/types/plan.ts';
import type { Step } from '../../core/plan/types/step.ts';
import type { Problem } from '../../core/problem/problem.ts';

/** What a painter needs of a run's account, which `apply/` makes. */
export interface RunReport {
  readonly runId: string;
  readonly steps: readonly StepReport[];
  readonly problems: readonly Problem[];
  readonly sent: Readonly<Record<WriteAction, number>>;
  /**
   * Requests that the service refused by its limit of rate, beside those that were `sent`; absent if nobody counted.
   */
  readonly rateLimited?: Readonly<Record<WriteAction, number>>;
  readonly interrupted: boolean;
  readonly verified: boolean | null;
  readonly converged: boolean | null;
  readonly pendingInstalls: readonly PendingInstall[];
}

export interface StepReport {
  readonly step: Step;
  readonly outcome: StepOutcome;
  readonly problem?: Problem;
  readonly failedHosts: readonly { readonly hostId: string; readonly problem: Problem }[];
}
