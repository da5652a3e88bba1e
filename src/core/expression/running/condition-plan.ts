import type { Condition } from '../../model/expression.ts';
import type { SimplePredicate } from './simple-predicate.ts';

/** What is known of a condition beside its evaluation. */
export interface ConditionPlan {
  /** The whole condition, where it is simple. */
  readonly simple?: SimplePredicate;
  /** Simple predicates that all hold where the condition does; where it is simple, it holds where they all do. */
  readonly conjuncts: readonly SimplePredicate[];
}

const plans = new WeakMap<Condition, ConditionPlan>();

export function rememberPlan(condition: Condition, plan: ConditionPlan): void {
  plans.set(condition, plan);
}

/** Conditions that were not compiled here have no plan: they are asked each time. */
export function planOf(condition: Condition): ConditionPlan {
  return plans.get(condition) ?? { conjuncts: [] };
}
