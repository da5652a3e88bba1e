import { noFacts } from '../../model/facts.ts';
import type { Problem } from '../../problem/problem.ts';
import type { Diff } from '../difference/compare.ts';
import { accountFactProblems } from '../intents/account-fact-problems.ts';
import { customFieldProblems } from '../intents/custom-field-problems.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import { unreadableHostProblems } from './unreadable-hosts.ts';

/** Facts that the desired state reads and the service did not report: of the account, of custom fields, of hosts. */
export function unreadFacts(
  { desired, observed, facts }: PlanInputs,
  { matching, changes }: Diff,
): readonly Problem[] {
  return [
    ...accountFactProblems(desired, facts?.account),
    ...customFieldProblems(desired, observed, facts ?? noFacts),
    ...unreadableHostProblems({ desired, observed, matching, changes }),
  ];
}
