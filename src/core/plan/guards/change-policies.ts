import type { Condition } from '../../model/expression.ts';
import { type ChangePolicy, changeKinds, type Protection } from '../../model/policy.ts';
import { type Place, type Problem, problem, warning } from '../../problem/problem.ts';
import { hostList } from '../intents/host-list.ts';
import { describeChanges, hostsIn, type PlannedChange } from './planned-changes.ts';

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

/** A policy that checks each change by itself. */
interface Judge {
  readonly name: string;
  /** Shown as `(deny "no-online-deletes")`. */
  readonly label: string;
  readonly when: Condition;
  readonly place: Place;
  readonly severity: 'error' | 'warning';
  /** Describes the problem of changes of one kind that match the condition. */
  report(planned: readonly PlannedChange[]): Problem;
}

/** One problem for each kind of change that the policy denies, and one for all changes that it can't decide. */
function judgeChanges(judge: Judge, planned: readonly PlannedChange[]): readonly Problem[] {
  const held: PlannedChange[] = [];
  const undecided: PlannedChange[] = [];
  let reason = '';
  const ask = judge.when.begin();
  for (const each of planned) {
    const answer = ask(each.subject, each.change);
    if (!answer.ok) {
      if (undecided.length === 0) reason = answer.fault.message;
      undecided.push(each);
    } else if (answer.value) held.push(each);
  }
  return [
    ...changeKinds.flatMap((kind) => {
      const alike = held.filter(({ change }) => change.kind === kind);
      return alike.length === 0 ? [] : [judge.report(alike)];
    }),
    ...(undecided.length === 0 ? [] : [undecidedProblem(judge, reason, undecided)]),
  ];
}

/**
 * A change that can't be decided is refused, because the policy may be there to prevent it. The reason is the first
 * host's.
 */
function undecidedProblem(
  { name, label, place, severity }: Judge,
  reason: string,
  planned: readonly PlannedChange[],
): Problem {
  const hosts = [...new Set(hostsIn(planned))];
  const report = severity === 'error' ? problem : warning;
  return report('policy-undecided', `${label} can't be evaluated for ${hostList(hosts)}: ${reason}`, {
    place,
    hint: 'change its "when" so that it works for every host',
    hostIds: hosts.map(({ id }) => id),
    policy: name,
  });
}

function hostIdsIn(planned: readonly PlannedChange[]): readonly string[] {
  return hostsIn(planned).map(({ id }) => id);
}
