import type { Condition } from '../../model/expression.ts';
import type { SimplePredicate } from './simple-predicate.ts';

/** What can be derived from a condition without evaluating it. */
export interface ConditionPlan {
  /** The whole condition, if it is simple. */
  readonly simple?: SimplePredicate;
  /**
   * Simple predicates that must all hold for the condition to hold. If the condition is simple, that is also
   * sufficient.
   */
  readonly conjuncts: readonly SimplePredicate[];
}

const plans = new WeakMap<Condition, ConditionPlan>();

export function rememberPlan(condition: Condition, plan: ConditionPlan): void {
  plans.set(condition, plan);
}

/** A condition that was not compiled here has no plan and is always evaluated. */
export function planOf(condition: Condition): ConditionPlan {
  return plans.get(condition) ?? { conjuncts: [] };
}
