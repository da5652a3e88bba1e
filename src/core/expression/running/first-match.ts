import type { ChangeFacts, Condition, ExpressionFault, ExpressionSubject } from '../../model/expression.ts';
import { carryOutSimple } from './carry-out-simple.ts';
import { certainty } from './certainty.ts';
import { planOf } from './condition-plan.ts';
import { createFaultLimit } from './fault-limit.ts';
import type { SimplePredicate } from './simple-predicate.ts';

export interface ConditionFault {
  /** The index of the condition that has no value for this host. */
  readonly index: number;
  readonly fault: ExpressionFault;
}

export interface Matches {
  /** The indexes of the conditions that hold, in order. */
  readonly matches: readonly number[];
  readonly faults: readonly ConditionFault[];
  /** The matches that hold only because an unknown fact reads as empty. */
  readonly guessed: readonly number[];
}

export type Matcher = (subject: ExpressionSubject, change?: ChangeFacts) => Matches;

const none: readonly never[] = [];
const nothing: Matches = { matches: none, faults: none, guessed: none };

/**
 * Evaluates many conditions for one host after another. A condition whose simple parts do not hold is not evaluated. A
 * condition that fails for a few hosts is not evaluated for the rest, which get a fault as well.
 */
export function createMatcher(conditions: readonly Condition[]): Matcher {
  const evaluators = conditions.map(evaluatorOf);

  return (subject, change) => {
    let matches: number[] | undefined;
    let faults: ConditionFault[] | undefined;
    let guessed: number[] | undefined;
    for (let index = 0; index < evaluators.length; index += 1) {
      const held = (evaluators[index] as Evaluator)(subject, change);
      if (held === true || held === 'guessed') {
        (matches ??= []).push(index);
        if (held === 'guessed') (guessed ??= []).push(index);
      } else if (held !== false) (faults ??= []).push({ index, fault: held });
    }
    return matches === undefined && faults === undefined
      ? nothing
      : { matches: matches ?? none, faults: faults ?? none, guessed: guessed ?? none };
  };
}

type Evaluator = (subject: ExpressionSubject, change?: ChangeFacts) => boolean | 'guessed' | ExpressionFault;

function evaluatorOf(condition: Condition): Evaluator {
  const { simple, conjuncts } = planOf(condition);
  const guards = conjuncts
    .toSorted((a, b) => costOf(a) - costOf(b))
    .map((conjunct) => carryOutSimple(conjunct));
  const certainly = simple && certainty(simple);
  const evaluate = condition.begin();
  const limit = createFaultLimit();
  return (subject, change) => {
    for (const guard of guards) if (!guard(subject, change)) return false;
    if (certainly !== undefined) return certainly(subject, change) === true ? true : 'guessed';
    const held = limit.ask(() => evaluate(subject, change));
    if (!held.ok) return held.fault;
    return held.guessed === true ? 'guessed' : held.value;
  };
}

/** Cheap tests come first. Simple tests have no faults, so their order does not matter. */
function costOf({ kind }: SimplePredicate): number {
  return kind === 'constant' || kind === 'flag' || kind === 'number'
    ? 0
    : kind === 'is' || kind === 'startsWith'
      ? 1
      : 2;
}
