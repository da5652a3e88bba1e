import type { Desired } from '../../model/desired.ts';
import type { OperatorPolicy } from '../../model/operator-policy.ts';
import { allowance, changeKinds, type Limit, type LimitName } from '../../model/policy.ts';
import type { Place, Problem } from '../../problem/problem.ts';
import type { Plan } from '../types/plan.ts';
import { breachProblem, limitBreaches } from './guard.ts';
import { constraintsOf, timeProblems } from './time-problems.ts';

/**
 * The desired state with the operator's windows in addition to its own, and with the stricter limit of each kind for a
 * fleet of this size. If both allow the same, the limit of the desired state is kept.
 */
export function underOperator(desired: Desired, operator: OperatorPolicy, fleetSize: number): Desired {
  const limits = { ...desired.limits };
  const limitPlaces = { ...desired.limitPlaces };
  for (const [name, limit] of Object.entries(operator.limits) as readonly [LimitName, Limit][]) {
    if (!isStricter(limit, limits[name], fleetSize)) continue;
    limits[name] = limit;
    limitPlaces[name] = placeOf(operator, name);
  }
  const windows = [...operator.windows, ...desired.policy.windows];
  return { ...desired, limits, limitPlaces, policy: { ...desired.policy, windows } };
}

function placeOf({ place, places }: OperatorPolicy, name: LimitName): Place {
  return places?.[`limits.${name}`] ?? place;
}

function isStricter(limit: Limit, other: Limit, fleetSize: number): boolean {
  if (limit.kind === 'share' && other.kind === 'share') return limit.percent < other.percent;
  return allowance(limit, fleetSize) < allowance(other, fleetSize);
}

/**
 * Why the operator does not allow a plan that may have been made without the operator's policy, such as a saved one, at
 * this time (RFC 3339). The limit for missing hosts is not checked: only planning sees which hosts are missing.
 */
export function operatorProblems(plan: Plan, operator: OperatorPolicy, now: string): readonly Problem[] {
  const { summary, acks, observed } = plan;
  const breaches = limitBreaches({
    limits: operator.limits,
    limitPlaces: Object.fromEntries(changeKinds.map((kind) => [kind, placeOf(operator, kind)])),
    acks,
    summary,
    fleetSize: observed.hosts,
  });
  const kinds = new Set(changeKinds.filter((kind) => summary[kind] > 0));
  const constraints = constraintsOf({ windows: operator.windows, freezes: [] }, kinds);
  return [
    ...breaches.flatMap(breachProblem),
    ...timeProblems(constraints === undefined ? {} : { constraints }, now),
  ];
}
