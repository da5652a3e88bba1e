import type { StepOutcome } from '../../core/model/run-event.ts';
import type { WriteAction } from '../../core/model/write-action.ts';
import type { PendingInstall } from '../../core/plan/types/plan.ts';
import { hostIdsOf, type Step } from '../../core/plan/types/step.ts';
import type { Problem } from '../../core/problem/problem.ts';

/** The parts of a run's result that painters need. `apply/` makes it. */
export interface RunReport {
  readonly runId: string;
  readonly steps: readonly StepReport[];
  readonly problems: readonly Problem[];
  /** Why records of the run, or requested files, could not be written. */
  readonly unrecorded: readonly Problem[];
  readonly sent: Readonly<Record<WriteAction, number>>;
  /**
   * Requests that the service refused because of its rate limit, in addition to those in `sent`; absent if nothing
   * counted them.
   */
  readonly rateLimited?: Readonly<Record<WriteAction, number>>;
  readonly interrupted: boolean;
  readonly verified: boolean | null;
  readonly converged: boolean | null;
  readonly pendingInstalls: readonly PendingInstall[];
}

/**
 * The hosts that the run has changed and that a read after its last call shows otherwise. They are not verified, whether
 * someone else changed them again or the service did something else.
 */
export function unverifiedHosts({
  steps,
  problems,
}: Pick<RunReport, 'steps' | 'problems'>): readonly string[] {
  const own = new Set<string>(steps.flatMap(({ step }) => hostIdsOf(step)));
  const causes = [...problems, ...steps.flatMap(({ problem: cause }) => cause ?? [])];
  const named = causes.flatMap(({ code, hostIds = [] }) => (code === 'not-converged' ? hostIds : []));
  return [...new Set(named)].filter((id) => own.has(id));
}

export interface StepReport {
  readonly step: Step;
  readonly outcome: StepOutcome;
  readonly problem?: Problem;
  readonly failedHosts: readonly { readonly hostId: string; readonly problem: Problem }[];
}
