import type { Observed } from '../../core/model/observed.ts';
import { intentOf, unlike, unverifiedWrites, type Writes } from '../../core/plan/guards/unverified-writes.ts';
import { leftTemporaryNames } from '../../core/plan/ordering/left-temporary-names.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { hostIdsOf } from '../../core/plan/types/step.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { assess } from './assess.ts';

/** The results of a run, and the lists before its first write and after its last one. */
export interface Evidence extends Pick<Writes, 'before' | 'after' | 'isDeletedElsewhere'> {
  readonly plan: Plan;
  /** The plan made again on `after`. A saved plan can't be made again and is compared with its own targets. */
  readonly again?: Plan;
  /** Was the plan made earlier, so that `before` was read for this run? */
  readonly isSaved: boolean;
  /** Whether what others changed besides the writes of the run is for the next plan, and no failure of the run. */
  readonly leavesOthers: boolean;
}

/**
 * The differences between the run's results and a read after the last write: its own writes, and everything else that
 * still differs. A run is verified if none of them is an error.
 */
export function verify({ plan, again, isSaved, leavesOthers, ...lists }: Evidence): readonly Problem[] {
  const { steps, observed } = plan;
  const own = unverifiedWrites({ steps, ...lists, ...(isSaved ? { plannedOn: observed.hosts } : {}) });
  const named = new Set(own.flatMap(({ hostIds = [] }) => hostIds));
  const others =
    again === undefined ? leftAfter(leavesOthers ? null : plan, lists.after) : stillPlanned(plan, again);
  return [...own, ...others.filter(({ hostIds = [] }) => !hostIds.every((id) => named.has(id)))];
}

/** Hosts of the plan that someone else changed, and hosts left with a temporary name. */
function leftAfter(plan: Plan | null, after: Observed): readonly Problem[] {
  const stale = plan === null ? [] : assess(plan, after).stale;
  return [...stale, ...leftTemporaryNames(after)].map(asDifference);
}

/** The new plan must be empty, except for installs that were just requested. */
function stillPlanned(plan: Plan, again: Plan): readonly Problem[] {
  const asked = new Set(plan.steps.filter(({ kind }) => kind === 'antivirus').flatMap(hostIdsOf));
  const temporary = again.problems.filter(
    ({ code }) => code === 'temporary-name-left' || code === 'lookalike-name',
  );
  const undone = again.steps.flatMap((step) =>
    hostIdsOf(step)
      .filter((id) => step.kind !== 'refresh' && (step.kind !== 'antivirus' || !asked.has(id)))
      .map((id) => unlike(id, intentOf(step))),
  );
  return [...temporary.map(asDifference), ...undone];
}

/** A name that only looks like a temporary one remains a warning. */
function asDifference(cause: Problem): Problem {
  return cause.code === 'lookalike-name' ? cause : { ...cause, code: 'not-converged', severity: 'error' };
}
