import { createMatcher } from '../../expression/running/first-match.ts';
import { memo } from '../../lib/memo.ts';
import type { Desired, Rule } from '../../model/desired.ts';
import type { Facts } from '../../model/facts.ts';
import type { HostId, Observed } from '../../model/observed.ts';
import { type Place, type Problem, problem, warning } from '../../problem/problem.ts';
import type { Diff, HostDifference } from '../difference/compare.ts';
import { type Claim, placeOfClaim } from '../intents/claim.ts';
import { hostList } from '../intents/host-list.ts';
import { subjectOf } from '../intents/subject.ts';
import type { OutcomeOf } from '../ordering/outcome.ts';

export interface SettleInputs {
  readonly desired: Desired;
  /** What the plan changes. */
  readonly changes: readonly HostDifference[];
  /** The changes that planning on the predicted fleet would make. */
  readonly again: Diff;
  readonly blocked: ReadonlySet<HostId>;
  readonly scope: { has(host: HostId): boolean };
}

/** Planning again on the predicted state must find no changes; otherwise every run would repeat them. */
export function settleProblems({
  desired,
  changes,
  again,
  blocked,
  scope,
}: SettleInputs): readonly Problem[] {
  const isBlocked = (change: HostDifference) =>
    blocked.has(change.host.id) && change.move === undefined && !change.antivirus && !change.delete;
  const restless = again.changes.filter((change) => scope.has(change.host.id) && !isBlocked(change));
  const before = new Map(changes.map((change) => [change.host.id, change]));
  const byRule = Map.groupBy(restless, (change) => ruleBehind(change));
  return [...byRule].flatMap(([rule, hosts]) => {
    if (rule !== undefined) return [unsettledRule(desired, rule, hosts, before)];
    const byGroup = Map.groupBy(hosts, (change) => groupBehind(change));
    return [...byGroup].flatMap(([place, changes]) =>
      place === undefined
        ? changes.map((change) => unsettledEntry(desired, change))
        : [unsettledGroup(place, changes)],
    );
  });
}

function decidingClaim({ claims }: HostDifference): Claim | undefined {
  return claims.name ?? claims.group ?? claims.ensure ?? claims.antivirus;
}

function ruleBehind(change: HostDifference): Rule | undefined {
  const claim = decidingClaim(change);
  return claim?.kind === 'rule' || claim?.kind === 'temporary-name' ? claim.rule : undefined;
}

/** Where the policy of a group requests the move. Each policy has one place. */
function groupBehind(change: HostDifference): Place | undefined {
  const claim = decidingClaim(change);
  return claim?.kind === 'group' ? claim.place : undefined;
}

/** One problem for all hosts that the policy of one group would move out again. */
function unsettledGroup(place: Place, changes: readonly HostDifference[]): Problem {
  const who = hostList(changes.map(({ host }) => host));
  return problem('not-settled', `after this plan, ${who} would be moved again`, {
    place,
    hint: 'two groups, or a group and a rule, move them back and forth: set "othersTo" to a group that keeps them',
    hostIds: changes.map(({ host }) => host.id),
  });
}

function unsettledEntry(desired: Desired, change: HostDifference): Problem {
  const { host, rename } = change;
  const claim = decidingClaim(change);
  const what = rename === undefined ? 'would change again' : `would be renamed again to "${rename}"`;
  return problem('not-settled', `after this plan, "${host.name}" (${host.id}) ${what}`, {
    ...(claim === undefined ? {} : { place: placeOfClaim(desired, claim, 'name') }),
    hint: 'add ids to the entries that swap names',
    hostIds: [host.id],
  });
}

/** A rule that acts on its own result never converges. */
function unsettledRule(
  desired: Desired,
  rule: Rule,
  hosts: readonly HostDifference[],
  before: ReadonlyMap<HostId, HostDifference>,
): Problem {
  const first = hosts[0] as HostDifference;
  const was = before.get(first.host.id)?.host ?? first.host;
  const others = hosts.length === 1 ? '' : `, and the same for ${hosts.length - 1} more`;
  const what =
    first.rename === undefined
      ? `would act again on "${first.host.name}" (${first.host.id}) after this plan`
      : `would rename "${was.name}" (${was.id}) to "${first.host.name}", and then to "${first.rename}"`;
  return problem('rule-not-settled', `rule "${rule.name}" ${what}${others}`, {
    place: desired.placeOfRule(rule.index, first.rename === undefined ? 'when' : 'rename'),
    hint: 'a rule must not change its own result: exclude it in "when", or build the name from facts that do not change',
    hostIds: hosts.map(({ host }) => host.id),
  });
}

/**
 * Rules that stop matching because of their own rename. This is valid, but reported, because nothing keeps the name
 * afterwards.
 */
export function rulesThatEnd(
  desired: Desired,
  changes: readonly HostDifference[],
  outcomeOf: OutcomeOf,
  observed: Observed,
  facts: Facts,
): readonly Problem[] {
  const ended = new Map<Rule, HostDifference>();
  const matcherOf = memo((rule: Rule) => createMatcher([rule.when]));
  for (const change of changes) {
    const claim = change.claims.name;
    if (claim?.kind !== 'rule' || ended.has(claim.rule)) continue;
    const host = outcomeOf(change) ?? undefined;
    if (host === undefined || host.name !== change.rename) continue;
    const { matches, faults } = matcherOf(claim.rule)(subjectOf(host, observed, facts));
    if (matches.length === 0 && faults.length === 0) ended.set(claim.rule, change);
  }
  return [...ended].map(([rule, { host, rename }]) =>
    warning(
      'rule-ends-itself',
      `rule "${rule.name}" no longer matches ${hostList([host])} after its rename to "${rename}"`,
      {
        place: desired.placeOfRule(rule.index, 'when'),
        hint: 'the rule names each host once and does not revert later changes of these names',
        hostIds: [host.id],
      },
    ),
  );
}
