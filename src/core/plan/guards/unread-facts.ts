import type { Desired } from '../../model/desired.ts';
import { noFacts } from '../../model/facts.ts';
import { type NumberRange, numberedName } from '../../model/numbered-name.ts';
import { note, type Problem, problem } from '../../problem/problem.ts';
import type { Diff } from '../difference/compare.ts';
import { accountFactProblems } from '../intents/account-fact-problems.ts';
import { customFieldProblems } from '../intents/custom-field-problems.ts';
import { needsOfDesired } from '../intents/needs.ts';
import type { PlanInputs } from '../types/plan-inputs.ts';
import { tableProblems } from './table-problems.ts';
import { unreadableHostProblems } from './unreadable-hosts.ts';

/** Facts that the desired state reads and that are not there, or not reliable: of tables, the account, custom fields, hosts. */
export function unreadFacts(
  { desired, observed, facts, lastTables, lastNumbers, now }: PlanInputs,
  { matching, changes, numbers }: Diff,
): readonly Problem[] {
  return [
    ...tableProblems(desired, lastTables, now),
    ...(lastNumbers === undefined ? numbers.map(unrecorded) : []),
    ...accountFactProblems(desired, facts?.account),
    ...customFieldProblems(desired, observed, facts ?? noFacts),
    ...unreadableHostProblems({ desired, observed, matching, changes }),
  ];
}

/** Without facts, a rule that reads them does nothing, and a policy protects nothing. */
export function missingFacts(desired: Desired): readonly Problem[] {
  const { customFields, hardware, system } = needsOfDesired(desired);
  if (!customFields && hardware.length === 0 && system.length === 0) return [];
  return [
    problem(
      'unknown-facts',
      'the desired state reads facts of hosts, and the plan was made without "facts"',
      {
        hint: 'pass those of a snapshot that "rampart hosts snapshot" saved',
      },
    ),
  ];
}

function unrecorded({ prefix, digits, first }: NumberRange): Problem {
  return note(
    'numbers-unrecorded',
    `the numbers from "${numberedName(prefix, digits, first)}" on are new to the fleet and the desired state; no earlier run recorded which numbers hosts had before`,
    { hint: 'if hosts with such names were deleted, check that their numbers are not used again' },
  );
}
