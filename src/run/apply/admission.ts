import type { Clock } from '../../core/lib/surroundings.ts';
import type { HostId } from '../../core/model/observed.ts';
import { unitsOf } from '../../core/plan/ordering/units.ts';
import { isNameStep, type Step } from '../../core/plan/types/step.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';

/** How much a run may do. It stops where nothing is half done. */
export interface Budget {
  /** The maximum number of calls that change the fleet. */
  readonly maxCalls?: number;
  /** In place of `maxCalls`: calls that several runs share. */
  readonly calls?: CallAllowance;
  /** Milliseconds since the epoch after which no new work begins; work that has begun gets a short time to finish. */
  readonly deadline?: number;
}

/** Calls that may still be started, by any of the runs that share it. */
export interface CallAllowance {
  readonly left: number;
  /** Takes this many calls; false if there are not enough, and then it takes none. */
  take(calls: number): boolean;
}

export function createCallAllowance(calls: number): CallAllowance {
  let left = calls;
  return {
    get left() {
      return left;
    },
    take(wanted) {
      if (wanted > left) return false;
      left -= wanted;
      return true;
    },
  };
}

/**
 * How long after the deadline the calls of a rename component that has begun may still start, in milliseconds. A
 * service that is slow to reply must not extend a run without limit: the next run continues with the rest.
 */
const finishMs = 30_000;

/**
 * Decides about each step before it starts. A rename component that has begun is finished, but no call starts later
 * than `finishMs` after the deadline. Steps that an earlier run has done send nothing, so they cost nothing.
 */
export interface Admission {
  /** Undefined: the step may start. */
  refusal(step: Step): Problem | undefined;
}

export function createAdmission(
  steps: readonly Step[],
  {
    maxCalls = Number.POSITIVE_INFINITY,
    calls = createCallAllowance(maxCalls),
    deadline = Number.POSITIVE_INFINITY,
  }: Budget,
  clock: Clock,
  isDone: (step: Step) => boolean = () => false,
): Admission {
  const units = unitsOf(steps);
  const costs = new Map<HostId, number>();
  for (const step of steps) {
    if (isDone(step)) continue;
    if (!isNameStep(step)) continue;
    const unit = units.of(step.hostId);
    costs.set(unit, (costs.get(unit) ?? 0) + 1);
  }
  const begun = new Set<HostId>();
  return {
    refusal(step) {
      if (isDone(step)) return undefined;
      const unit = isNameStep(step) ? units.of(step.hostId) : undefined;
      if (unit !== undefined && begun.has(unit)) {
        return clock.now() >= deadline + finishMs
          ? spent('the deadline and the time to finish running steps have passed')
          : undefined;
      }
      const cost = unit === undefined ? 1 : (costs.get(unit) ?? 1);
      if (clock.now() >= deadline) return spent('the deadline has passed');
      if (!calls.take(cost)) {
        return spent(
          `${cost === 1 ? 'it' : `its ${cost} renames, which belong together,`} would exceed --max-calls`,
        );
      }
      if (unit !== undefined) begun.add(unit);
      return undefined;
    },
  };
}

function spent(why: string): Problem {
  return problem('budget-spent', `not started: ${why}`, { hint: 'apply again to continue' });
}
