import type { HostId } from '../../model/observed.ts';
import type { Diff } from '../difference/compare.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import { orderPlan } from './order-plan.ts';
import { unitsOf, withUnits } from './units.ts';

/** The hosts that a plan covers. */
export interface PlanScope {
  has(host: HostId): boolean;
}

/** The chosen hosts, and all that must be planned together with them: whole rename components, never parts of them. */
export function scopeOf(difference: Diff, inputs: PlanInputs): PlanScope {
  const { target, exclude } = inputs;
  if (target === undefined && exclude === undefined) return { has: () => true };
  const units = unitsOf(orderPlan(difference, { ...inputs, pace: undefined }).steps());
  const chosen = target === undefined ? { has: () => true } : withUnits(units, target);
  const left = withUnits(units, exclude ?? []);
  return { has: (host) => chosen.has(host) && !left.has(host) };
}

/** What differs of the hosts in this scope. */
export function within(scope: PlanScope, difference: Diff): Diff {
  return {
    ...difference,
    changes: difference.changes.filter(({ host }) => scope.has(host.id)),
    pendingInstalls: difference.pendingInstalls.filter(({ host }) => scope.has(host.id)),
  };
}
