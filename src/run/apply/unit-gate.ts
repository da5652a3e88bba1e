import type { HostId } from '../../core/model/observed.ts';
import { unitsOf } from '../../core/plan/ordering/units.ts';
import { hostIdsOf, isNameStep, type Step } from '../../core/plan/types/step.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { StepResult } from './step-result.ts';

/** Lets units drop out of a run that has begun. */
export interface UnitGate {
  /** Carries out a step, unless its unit has dropped out. */
  pass(step: Step, work: () => Promise<StepResult>): Promise<StepResult>;
}

/** Someone else changed a host of the unit, or gave another host its name. */
const changes: ReadonlySet<string> = new Set(['stale-plan', 'name-conflict']);

/**
 * A unit drops out if someone else deleted or renamed one of its hosts, or took one of its names, before the run did
 * anything to it, like the units that had changed before the first write. A unit that has begun fails: its hosts may
 * have temporary names.
 */
export function createUnitGate(steps: readonly Step[]): UnitGate {
  const units = unitsOf(steps);
  const begun = new Set<HostId>();
  const dropped = new Map<HostId, Problem>();
  const skipped = (problem: Problem): StepResult => ({ outcome: 'skipped', problem, failedHosts: [] });
  return {
    async pass(step, work) {
      if (!isNameStep(step)) {
        for (const host of hostIdsOf(step)) begun.add(units.of(host));
        return work();
      }
      const unit = units.of(step.hostId);
      const known = dropped.get(unit);
      if (known !== undefined) return skipped(known);
      const isFirst = !begun.has(unit);
      begun.add(unit);
      const result = await work();
      const { outcome, problem } = result;
      if (!isFirst || outcome !== 'failed' || problem === undefined || !changes.has(problem.code))
        return result;
      const cause: Problem = { ...problem, code: 'stale-plan' };
      dropped.set(unit, cause);
      return skipped(cause);
    },
  };
}
