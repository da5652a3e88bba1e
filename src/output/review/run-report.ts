import type { WriteAction } from '../../core/model/write-action.ts';
import type { RunSummary } from '../../core/plan/types/run-summary.ts';
import { hostIdsOf } from '../../core/plan/types/step.ts';

/** The parts of a run's result that painters need. */
export interface RunReport extends Omit<RunSummary, 'lastRead' | 'before' | 'left'> {
  /**
   * Requests that the service refused because of its rate limit, in addition to those in `sent`; absent if nothing
   * counted them.
   */
  readonly rateLimited?: Readonly<Record<WriteAction, number>>;
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
