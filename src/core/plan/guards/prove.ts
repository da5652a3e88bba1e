import { noFacts } from '../../model/facts.ts';
import type { Observed } from '../../model/observed.ts';
import type { Problem } from '../../problem/problem.ts';
import { compare, type Diff } from '../difference/compare.ts';
import { leftTemporaryNames, mayLeaveTemporaryNames } from '../ordering/left-temporary-names.ts';
import type { Ordering } from '../ordering/order.ts';
import { outcomeOf } from '../ordering/outcome.ts';
import type { PlanScope } from '../ordering/scope.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import { isSurelySettled } from './is-settled.ts';
import { rulesThatEnd, settleProblems } from './settle.ts';

export interface Proof {
  readonly difference: Diff;
  readonly scope: PlanScope;
  readonly ordering: Ordering;
  /** The fleet after the plan. Computed only if the changed hosts alone do not prove it. */
  predicted(): Observed;
}

/** What a second plan, after this one, would still find: rules and entries that never settle, and temporary names. */
export function prove(inputs: PlanInputs, proof: Proof): readonly Problem[] {
  const { desired, observed, facts = noFacts } = inputs;
  const { difference, scope, ordering, predicted } = proof;
  const { changes, matching } = difference;
  const afterOf = outcomeOf(ordering.blocked);
  const unsettled = isSurelySettled(inputs, difference, afterOf)
    ? []
    : settleProblems({
        desired,
        changes,
        again: compare(inputs, predicted()),
        blocked: ordering.blocked,
        scope,
      });
  return [
    ...unsettled,
    ...rulesThatEnd(desired, changes, afterOf, observed, facts),
    ...(mayLeaveTemporaryNames(matching.temporary, changes) ? leftTemporaryNames(predicted()) : []),
  ];
}
