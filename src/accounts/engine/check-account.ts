import { defined } from '../../core/lib/defined.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import type { Desired, Rule } from '../../core/model/desired.ts';
import type { Facts } from '../../core/model/facts.ts';
import type { Observed } from '../../core/model/observed.ts';
import { readTemporaryName } from '../../core/model/temporary-name.ts';
import { type CoverageByColumn, coverageOfTables } from '../../core/plan/coverage.ts';
import { compare } from '../../core/plan/difference/compare.ts';
import { baselineOfFleet } from '../../core/plan/drift/baseline.ts';
import { compareStates, type DriftDifference } from '../../core/plan/drift/drift.ts';
import { needsOfDesired } from '../../core/plan/intents/needs.ts';
import { makePlanOf } from '../../core/plan/make-plan.ts';
import { attributeSetBy, plannedActs } from '../../core/plan/ordering/planned-acts.ts';
import type { Plan } from '../../core/plan/types/plan.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { AccountConfig } from '../config/account-config.ts';
import type { EngineParts } from './engine-parts.ts';
import type { OpenAccount } from './open-account.ts';
import { ownTurn } from './own-turn.ts';
import { createPlanner } from './planning.ts';
import { inventoryInState, readLive } from './read-facts.ts';

/** What one read of an account showed. */
export interface AccountCheck {
  readonly plan: Plan;
  readonly observed: Observed;
  readonly facts: Facts;
  /** Attributes that differ from the desired state, except those that someone has accepted. */
  readonly drift: readonly DriftedAttribute[];
  /** The tables that a plan may rely on. */
  readonly coverage: readonly CoverageByColumn[];
}

/** An attribute of a host in the file, before the difference, and in the fleet. */
export interface DriftedAttribute {
  readonly hostId: string;
  /** The name that readers know the host by. */
  readonly name: string | null;
  readonly attribute: 'name' | 'group' | 'antivirus' | 'presence';
  readonly desired: string;
  /** As the last run left it, or before the first run a check found it as desired. Null if not known. */
  readonly last: string | null;
  readonly live: string;
  /** Someone changed the fleet, or the file, or both. */
  readonly changed: 'fleet' | 'file' | 'both';
  readonly cause: DriftCause;
}

/**
 * Why the attribute differs: the same for all hosts of a rule, or of entries with the same request, in all accounts. Entries
 * that rename or delete hosts are about these hosts only, so they have the same request only if they are in one file.
 */
export interface DriftCause {
  readonly id: string;
  readonly kind: 'fleet' | 'file';
  /** `rule "kiosks"`, `entries of shops.yaml that rename hosts`, or `renamed by hand, set by rule "kiosks"`. */
  readonly title: string;
  readonly rule?: string;
  readonly file?: string;
  readonly line?: number;
}

/** Reads the fleet of one account, plans, and compares it with the fleet that the last run left. Sends only reads. */
export async function checkAccount(
  connection: OpenAccount,
  desired: Desired,
  operator: AccountConfig,
  parts: EngineParts,
): Promise<Result<AccountCheck>> {
  const { clock, state } = parts;
  const fleet = await readLive(connection, desired, needsOfDesired(desired), {
    clock,
    inventory: inventoryInState(state),
  });
  if (!fleet.ok) return fleet;
  await ownTurn();
  const { account, observed, facts } = fleet.value;
  const planner = await createPlanner({ desired, account, facts, operator, runs: connection.runs, clock });
  if (!planner.ok) return planner;
  const inputs = planner.value.inputsOn(observed);
  if (!inputs.ok) return inputs;
  const difference = compare(inputs.value, observed);
  const comparison = compareStates(inputs.value, difference);
  const left = comparison.dependsOnBaseline() ? await state.readFleet(account) : ok(null);
  if (!left.ok) return left;
  const baseline = left.value && baselineOfFleet(left.value, 'the result of the last run');
  const report = comparison.report({ ...(baseline === null ? {} : { baseline }), unmanaged: false });
  const plan = makePlanOf(difference, inputs.value);
  return ok({
    plan,
    observed,
    facts,
    drift: driftedAttributes(report.differences, plan, desired, {
      hasBaseline: baseline !== null,
      source: operator.source,
    }),
    coverage: coverageOfTables(inputs.value),
  });
}

/** Installs in progress and in doubt are part of the plan; accepted differences are no drift. */
function driftedAttributes(
  differences: readonly DriftDifference[],
  plan: Plan,
  desired: Desired,
  { hasBaseline, source }: { readonly hasBaseline: boolean; readonly source: string | undefined },
): readonly DriftedAttribute[] {
  const rules = rulesOf(plan);
  const rulesByName = new Map<string | undefined, Rule>(desired.rules.map((rule) => [rule.name, rule]));
  const groups = new Set(
    differences.flatMap(({ attribute, intended }) => (attribute === 'group' ? [intended] : [])),
  );
  return differences.flatMap((each): readonly DriftedAttribute[] => {
    const changed = changedBy(each, hasBaseline);
    if (changed === undefined || each.known !== undefined) return [];
    const { hostId, name, attribute } = each;
    return [
      {
        hostId,
        name,
        attribute,
        desired: each.intended,
        last: each.before ?? null,
        live: each.observed,
        changed,
        cause: causeOf(each, changed, {
          rule: rulesByName.get(rules.get(`${hostId} ${attribute}`)),
          namesGroups: groups.size <= mostGroups,
          source,
        }),
      },
    ];
  });
}

/** Undefined for an install that an earlier run has requested. */
function changedBy({ kind }: DriftDifference, hasBaseline: boolean): DriftedAttribute['changed'] | undefined {
  switch (kind) {
    case 'drift':
      return 'fleet';
    case 'pending':
      return 'file';
    case 'both':
      return 'both';
    case 'undecided':
      // Before the first run everything in the file is new; after it, a host that no run left is new in the fleet.
      return hasBaseline ? 'fleet' : 'file';
    case 'in-progress':
    case 'in-doubt':
      return undefined;
  }
}

/** The rules that request changes, by host and attribute. */
function rulesOf(plan: Plan): ReadonlyMap<string, string | undefined> {
  return new Map(
    Array.from(plannedActs(plan), ({ kind, hostId, reason }) => [
      `${hostId} ${attributeSetBy[kind]}`,
      reason().rule,
    ]),
  );
}

interface AroundDifference {
  /** The rule that sets the attribute; undefined for an entry. */
  readonly rule: Rule | undefined;
  readonly namesGroups: boolean;
  /** Two sources may have files of the same name, with other contents. */
  readonly source: string | undefined;
}

/**
 * Rules with the same text, and entries with the same request, are one cause in all accounts, although each account may
 * have its own file. Changes that people make by hand are one cause too, whichever file has the entry.
 */
function causeOf(
  { place, attribute, observed, intended, name }: DriftDifference,
  changed: DriftedAttribute['changed'],
  { rule, namesGroups, source }: AroundDifference,
): DriftCause {
  const kind = changed === 'file' ? 'file' : 'fleet';
  const act = kind === 'file' ? null : handWords(attribute, observed, name);
  if (rule !== undefined) {
    const title = `rule "${rule.name}"`;
    return {
      id: causeId(kind, act, textOf(rule)),
      kind,
      title: act === null ? title : `${act}, set by ${title}`,
      ...defined({ rule: rule.name, file: place?.file, line: place?.line }),
    };
  }
  if (act !== null) return { id: causeId(kind, act), kind, title: `${act}, set by entries` };
  const isOfFile = attribute === 'name' || attribute === 'presence';
  const own = isOfFile && place !== undefined ? ` of ${place.file}` : '';
  const title = `entries${own} that ${askedWords(attribute, intended, namesGroups)}`;
  return { id: causeId(kind, title, isOfFile ? source : undefined), kind, title };
}

function causeId(...parts: readonly unknown[]): string {
  return sha256Hex(JSON.stringify(parts)).slice(0, 16);
}

/** All that a rule says, wherever it stands. */
function textOf({ name, when, group, rename, successor, antivirus, ensure }: Rule): string {
  const said = { name, when: when.source, group, rename: rename?.source, successor, antivirus, ensure };
  return JSON.stringify(said);
}

/** More target groups of one account are one cause: nobody reads such a long list. */
const mostGroups = 20;

/** What entries request, after `entries that`. */
function askedWords(attribute: DriftDifference['attribute'], intended: string, namesGroups: boolean): string {
  switch (attribute) {
    case 'name':
      return 'rename hosts';
    case 'group':
      if (!namesGroups) return 'move hosts';
      return intended === '' ? 'remove hosts from their groups' : `move hosts to "${intended}"`;
    case 'antivirus':
      return 'install the anti-virus';
    case 'presence':
      return 'delete hosts';
  }
}

/** What someone did in the fleet. */
function handWords(attribute: DriftDifference['attribute'], observed: string, name: string | null): string {
  switch (attribute) {
    case 'name':
      // Nobody types such a name: the run that gave it has ended early.
      return readTemporaryName(name) === undefined ? 'renamed by hand' : 'temporary name left by a run';
    case 'group':
      return 'moved by hand';
    case 'antivirus':
      return 'anti-virus removed';
    case 'presence':
      return observed === 'absent' ? 'deleted by hand' : 'new in the fleet';
  }
}
