import { noFacts } from '../../model/facts.ts';
import type { Problem } from '../../problem/problem.ts';
import type { Diff } from '../difference/compare.ts';
import { accountFactProblems } from '../intents/account-fact-problems.ts';
import { customFieldProblems } from '../intents/custom-field-problems.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import { tableProblems } from './table-problems.ts';
import { unreadableHostProblems } from './unreadable-hosts.ts';

/** Facts that the desired state reads and that are not there, or not reliable: of tables, the account, custom fields, hosts. */
export function unreadFacts(
  { desired, observed, facts, lastTables, now }: PlanInputs,
  { matching, changes }: Diff,
): readonly Problem[] {
  return [
    ...tableProblems(desired, lastTables, now),
    ...accountFactProblems(desired, facts?.account),
    ...customFieldProblems(desired, observed, facts ?? noFacts),
    ...unreadableHostProblems({ desired, observed, matching, changes }),
  ];
}
