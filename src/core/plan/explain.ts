import type { Rule } from '../model/desired.ts';
import type { Entry } from '../model/entry.ts';
import type { HostId, ObservedHost } from '../model/observed.ts';
import { readTemporaryName } from '../model/temporary-name.ts';
import type { Place, Problem } from '../problem/problem.ts';
import { compare } from './difference/compare.ts';
import { type Claim, type Claimed, claimed, placeOfClaim, reasonsOf } from './intents/claim.ts';
import { fleetFacts } from './intents/fleet-facts.ts';
import { groupValue } from './intents/groups.ts';
import type { Intent } from './intents/intents.ts';
import { setsAttribute } from './intents/rule-book.ts';
import { subjectOf } from './intents/subject.ts';
import type { Plan } from './types/plan.ts';
import type { PlanInputs } from './types/plan-inputs.ts';
import { hostIdsOf, type ReasonCell, type Step } from './types/step.ts';

/** The reasons for a host's current and future state. */
export interface Explanation {
  readonly host: ObservedHost;
  readonly groupName: string | null;
  readonly takenAt: string;
  readonly entry?: EntryMatch;
  readonly attributes: readonly ExplainedAttribute[];
  readonly rules: readonly RuleVerdict[];
  /** The steps of the plan that touch the host, and those that they wait for. */
  readonly steps: readonly Step[];
  readonly waitsFor: readonly Step[];
  /** The plan's problems for this host. */
  readonly problems: readonly Problem[];
}

export interface EntryMatch {
  readonly place: Place;
  readonly by: 'id' | 'key' | 'name' | 'previous name' | 'temporary name';
}

export interface ExplainedAttribute {
  readonly attribute: Claimed;
  readonly observed: string;
  /** The intended value; absent if no entry or rule sets it. */
  readonly intended?: string;
  readonly decidedBy?: Decider;
  /** Other entries or rules that set the value and were overruled. */
  readonly overruled: readonly Decider[];
  /** The file ignores differences of this attribute. */
  readonly ignored: boolean;
}

export interface Decider {
  readonly kind: Claim['kind'];
  /** The rule's name. */
  readonly rule?: string;
  readonly place: Place;
  /** The cells of tables that a new name is made of. */
  readonly cells?: readonly ReasonCell[];
}

export interface RuleVerdict {
  readonly name: string;
  readonly place: Place;
  readonly verdict: 'matches' | 'does not match' | 'no answer';
  /** Why the rule has no result. */
  readonly fault?: string;
  readonly asks: readonly Claimed[];
}

/** Explains one host of the list with the same code that planned it. */
export function explain(
  hostId: HostId,
  inputs: PlanInputs,
  plan: Pick<Plan, 'steps' | 'problems'>,
): Explanation | undefined {
  const { desired, observed } = inputs;
  const host = observed.byId(hostId);
  if (host === undefined) return undefined;
  const { intents } = compare({ ...inputs, strict: false, skipBlocked: true }, observed);
  const intent = intents().find((each) => each.host.id === hostId);
  const rules = verdictsOn(host, inputs);
  const steps = plan.steps.filter((step) => hostIdsOf(step).includes(hostId));
  const waited = new Set(steps.flatMap((step) => step.after));
  return {
    host,
    groupName: observed.groupById(host.groupId)?.name ?? null,
    takenAt: observed.takenAt,
    ...(intent?.entry === undefined
      ? {}
      : { entry: { place: desired.placeOf(intent.entry.index), by: matchedBy(intent.entry, host) } }),
    attributes: explainAttributes(host, intent, rules, inputs),
    rules: rules.map(({ verdict }) => verdict),
    steps,
    waitsFor: plan.steps.filter((step) => waited.has(step.id) && !steps.includes(step)),
    problems: plan.problems.filter((problem) => problem.hostIds?.includes(hostId)),
  };
}

interface Judged {
  readonly rule: Rule;
  readonly verdict: RuleVerdict;
}

function verdictsOn(host: ObservedHost, inputs: PlanInputs): readonly Judged[] {
  const { desired, observed } = inputs;
  const subject = subjectOf(host, observed, fleetFacts(inputs, observed));
  return desired.rules.map((rule) => {
    const holds = rule.when.begin()(subject);
    const verdict: RuleVerdict = {
      name: rule.name,
      place: desired.placeOfRule(rule.index),
      verdict: !holds.ok ? 'no answer' : holds.value ? 'matches' : 'does not match',
      ...(holds.ok ? {} : { fault: holds.fault.message }),
      asks: claimed.filter((each) => setsAttribute(rule, each === 'name' ? 'rename' : each)),
    };
    return { rule, verdict };
  });
}

function matchedBy(entry: Entry, host: ObservedHost): EntryMatch['by'] {
  if (entry.id !== undefined) return entry.id === host.id ? 'id' : 'key';
  if (entry.name === host.name) return 'name';
  if (entry.key !== undefined) return 'key';
  return readTemporaryName(host.name) === undefined ? 'previous name' : 'temporary name';
}

function explainAttributes(
  host: ObservedHost,
  intent: Intent | undefined,
  rules: readonly Judged[],
  { desired, observed }: PlanInputs,
): readonly ExplainedAttribute[] {
  const intented = (attribute: Claimed): { readonly to: string; readonly claim: Claim } | undefined => {
    switch (attribute) {
      case 'name':
        return intent?.name;
      case 'group':
        return intent?.group && { to: groupWords(intent.group.intent), claim: intent.group.claim };
      case 'antivirus':
        return intent?.antivirus && { to: 'installed', claim: intent.antivirus };
      case 'ensure':
        return intent?.absent && { to: 'absent', claim: intent.absent };
    }
  };
  const seen: Readonly<Record<Claimed, string>> = {
    name: host.name ?? '',
    group: groupValue(host.groupId, observed),
    antivirus: host.antivirus === undefined ? 'not read' : antivirusWords(host.antivirus),
    ensure: 'present',
  };
  return claimed.map((attribute) => {
    const intended = intented(attribute);
    const losers = rules.filter(
      ({ rule, verdict }) =>
        verdict.verdict === 'matches' &&
        verdict.asks.includes(attribute) &&
        !(intended?.claim.kind === 'rule' && intended.claim.rule === rule),
    );
    return {
      attribute,
      observed: seen[attribute],
      ...(intended === undefined
        ? {}
        : { intended: intended.to, decidedBy: deciderOf(intended.claim, attribute) }),
      overruled: losers.map(({ rule }) => deciderOf({ kind: 'rule', rule }, attribute)),
      ignored: attribute !== 'ensure' && (intent?.entry?.ignore?.includes(attribute) ?? false),
    };
  });

  function deciderOf(claim: Claim, attribute: Claimed): Decider {
    const { cells } = reasonsOf(desired)(claim, attribute);
    return {
      kind: claim.kind,
      ...(claim.kind === 'rule' ? { rule: claim.rule.name } : {}),
      place: placeOfClaim(desired, claim, attribute),
      ...(cells === undefined ? {} : { cells }),
    };
  }
}

function groupWords(intent: NonNullable<Intent['group']>['intent']): string {
  switch (intent.kind) {
    case 'named':
      return intent.name;
    case 'id':
      return `{ id: ${intent.id} }`;
    case 'ungrouped':
      return '';
  }
}

function antivirusWords({ installed, supported }: NonNullable<ObservedHost['antivirus']>): string {
  if (installed) return 'installed';
  return supported ? 'not installed' : 'not supported';
}
