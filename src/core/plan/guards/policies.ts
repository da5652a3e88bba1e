import type { Condition } from '../../model/expression.ts';
import type { Facts } from '../../model/facts.ts';
import { type HostId, hostsOf, type Observed } from '../../model/observed.ts';
import {
  type ChangeKind,
  type ChangePolicy,
  changeKinds,
  type GroupPolicy,
  type Policy,
  type Protection,
} from '../../model/policy.ts';
import { type Place, type Problem, problem, warning } from '../../problem/problem.ts';
import type { HostDifference } from '../difference/compare.ts';
import { type ClaimsGroup, createGroupResolver, describeGroup, type GroupTarget } from '../intents/groups.ts';
import { hostList } from '../intents/host-list.ts';
import type { Constraints } from '../types/plan.ts';
import { groupLimits } from './group-limits.ts';
import { type Guarded } from './guard.ts';
import { describeChanges, hostsIn, type PlannedChange, plannedChanges } from './planned-changes.ts';
import { constraintsOf, timeProblems } from './time-problems.ts';
import { intruderProblems, unmanagedProblems } from './unmanaged.ts';

export interface PolicyInputs {
  readonly policy: Policy;
  /** All changes of the plan, including the moves of `expulsions`. */
  readonly changes: readonly HostDifference[];
  readonly observed: Observed;
  readonly facts: Facts;
  /** An RFC 3339 time. */
  readonly now: string;
  readonly isClaimed: (id: HostId) => boolean;
  readonly claimsGroup: ClaimsGroup;
}

/** The limits and breaches are those of groups. */
export interface PolicyJudgment extends Guarded {
  /** The constraints that every apply checks again. */
  readonly constraints?: Constraints;
}

/** Checks a plan against all policies except the fleet-wide limits and the protection of entries. */
export function policyProblems(inputs: PolicyInputs): PolicyJudgment {
  const { policy, changes, observed, facts, now } = inputs;
  const { protect, changes: denials, windows, freezes } = policy;
  const judges = [...protect, ...denials, ...windows, ...freezes];
  const planned = judges.length === 0 ? [] : plannedChanges(changes, observed, facts);
  const constraints = constraintsOf(policy, kindsOf(planned));
  const constrained = constraints === undefined ? {} : { constraints };
  const groups = groupJudgment(inputs);
  return {
    problems: [
      ...protect.flatMap((each) => conditionalProtectionProblems(each, planned)),
      ...denials.flatMap((each) => changePolicyProblems(each, planned)),
      ...timeProblems(constrained, now),
      ...groups.problems,
    ],
    limits: groups.limits,
    breaches: groups.breaches,
    ...constrained,
  };
}

function kindsOf(planned: readonly PlannedChange[]): ReadonlySet<ChangeKind> {
  return new Set(planned.map(({ change }) => change.kind));
}

interface FoundGroup {
  readonly policy: GroupPolicy;
  readonly group: GroupTarget;
}

/** The problems of single groups, and of all unmanaged hosts. */
function groupJudgment({ policy, changes, observed, isClaimed, claimsGroup }: PolicyInputs) {
  const resolver = createGroupResolver(observed);
  const found = policy.groups.flatMap((each): readonly FoundGroup[] => {
    const group = resolver.resolve(each.group, () => each.place);
    return group === undefined ? [] : [{ policy: each, group }];
  });
  const hosts = Map.groupBy(found.length === 0 ? [] : hostsOf(observed), ({ groupId }) => groupId);
  const changed = Map.groupBy(found.length === 0 ? [] : changes, ({ host }) => host.groupId);
  const limits = found.map((each) =>
    groupLimits(
      each.policy,
      each.group,
      changed.get(each.group.id) ?? [],
      hosts.get(each.group.id)?.length ?? 0,
    ),
  );
  const problems = [
    ...limits.flatMap((each) => each.problems),
    ...unmanagedOfFleet(policy, observed, found, isClaimed),
    ...found.flatMap(({ policy: { unmanaged: what, place }, group }) => {
      if (what === undefined) return [];
      const unclaimed = hosts.get(group.id)?.filter((host) => !isClaimed(host.id)) ?? [];
      return unmanagedProblems(unclaimed, { what, where: ` in ${describeGroup(group)}`, place });
    }),
    ...found.flatMap(({ policy: { exclusive, othersTo, place }, group }) => {
      if (!exclusive || othersTo !== undefined) return [];
      const intruders = hosts.get(group.id)?.filter((host) => !claimsGroup(host.id)) ?? [];
      return intruderProblems(intruders, { group: describeGroup(group), place });
    }),
    ...resolver.problems(),
  ];
  return {
    limits: limits.flatMap((each) => each.limits),
    breaches: limits.flatMap((each) => each.breaches),
    problems,
  };
}

/** A group's setting overrides the one for the fleet. */
function unmanagedOfFleet(
  { unmanaged }: Policy,
  observed: Observed,
  found: readonly FoundGroup[],
  isClaimed: PolicyInputs['isClaimed'],
): readonly Problem[] {
  if (unmanaged === undefined) return [];
  const apart = new Set(
    found.filter(({ policy }) => policy.unmanaged !== undefined).map(({ group }) => group.id),
  );
  const unclaimed = hostsOf(observed).filter((host) => !apart.has(host.groupId) && !isClaimed(host.id));
  return unmanagedProblems(unclaimed, { what: unmanaged.what, where: '', place: unmanaged.place });
}

/** `deny` and `warn`: changes for which a condition holds. */
function changePolicyProblems(
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
function conditionalProtectionProblems(
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
