import type { ChangePolicy, Protection } from '../../model/policy.ts';
import { type Problem, problem, warning } from '../../problem/problem.ts';
import { describeChanges, type PlannedChange } from './planned-changes.ts';
import { hostIdsIn, judgeChanges } from './policy-findings.ts';

/** `deny` and `warn`: changes for which a condition holds. */
export function changePolicyProblems(
  { name, effect, when, message, place }: ChangePolicy,
  planned: readonly PlannedChange[],
): readonly Problem[] {
  const label = `${effect} "${name}"`;
  const denies = effect === 'deny';
  return judgeChanges(
    {
      name,
      label,
      when,
      place,
      severity: denies ? 'error' : 'warning',
      report: (held) => {
        const text = `${message}: ${describeChanges(held)} (${label})`;
        return denies
          ? problem('denied', text, { place, hint: noFlag, hostIds: hostIdsIn(held), policy: name })
          : warning('policy-warning', text, { place, hostIds: hostIdsIn(held), policy: name });
      },
    },
    planned,
  );
}

/** `protect`: hosts, as they are before the change, that no plan may delete, rename or move. */
export function conditionalProtectionProblems(
  { name, when, from, message, place }: Protection,
  planned: readonly PlannedChange[],
): readonly Problem[] {
  const forbidden: readonly string[] = from;
  const label = `protection "${name}"`;
  return judgeChanges(
    {
      name,
      label,
      when,
      place,
      severity: 'error',
      report: (held) =>
        problem('protected', `${message ?? 'protected'}: ${describeChanges(held)} (${label})`, {
          place,
          hint: noFlag,
          hostIds: hostIdsIn(held),
          policy: name,
        }),
    },
    planned.filter(({ change }) => forbidden.includes(change.kind)),
  );
}

const noFlag =
  'no flag overrides this: change the entry or rule that requests the change, or the policy, and have it reviewed';
