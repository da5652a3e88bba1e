import { quoted } from '../lib/words.ts';
import type { Desired, Rule } from '../model/desired.ts';
import type { ExpressionSubject } from '../model/expression.ts';
import { type Problem, warning } from '../problem/problem.ts';
import { type AskedRule, askedRules, examplesOf, hostWords, meet, winner } from './analyze-rules.ts';
import type { Plan } from './types/plan.ts';

type Rules = Pick<Desired, 'rules' | 'placeOfRule'>;

/**
 * The plan with a warning for each rule that deletes hosts that no rule deleted before an edit, whether such hosts exist or
 * not, with an example. Says nothing if a rule that decides about deletions is beyond the analysis.
 */
export function withAllowedDeletions(plan: Plan, before: Pick<Rules, 'rules'>, after: Rules): Plan {
  const allowed = allowedDeletions(before, after);
  return allowed.length === 0 ? plan : { ...plan, problems: [...plan.problems, ...allowed] };
}

function allowedDeletions(before: Pick<Rules, 'rules'>, after: Rules): readonly Problem[] {
  const [old, now] = [decidingRules(before.rules), decidingRules(after.rules)];
  if (old === undefined || now === undefined) return [];
  return now.flatMap((rule, index) => {
    if (rule.ensure !== 'absent') return [];
    const mayDecide = (each: AskedRule) => isComparable(each, rule) && meet(each, rule);
    const earlier = now.slice(0, index).filter(mayDecide);
    const others = old.filter(mayDecide);
    const isNew = (example: ExpressionSubject) =>
      winner('ensure', example, [...earlier, rule]) === rule &&
      winner('ensure', example, others)?.ensure !== 'absent';
    const example = examplesOf([rule, ...earlier, ...others])?.find(isNew);
    if (example === undefined) return [];
    const message = `rule ${quoted(rule.name)} deletes hosts that no rule deleted before this change, for example ${hostWords(example)}`;
    return [warning('deletions-allowed', message, { place: after.placeOfRule(rule.index, 'ensure') })];
  });
}

/** A stage proves nothing about hosts that have been offline for another time. */
function isComparable({ ofAnyAge, when }: AskedRule, rule: AskedRule): boolean {
  return ofAnyAge === undefined || when.source === rule.when.source;
}

/** The rules that decide whether a host is deleted; undefined if one of them can't be analyzed. */
function decidingRules(rules: readonly Rule[]): readonly AskedRule[] | undefined {
  const deciding = rules.filter(({ ensure }) => ensure !== undefined);
  const known = askedRules(deciding);
  return known.length === deciding.length ? known : undefined;
}
