import { accountKey } from '../../../core/model/account.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { changeKinds } from '../../../core/model/policy.ts';
import { actsOf, type PlannedAct } from '../../../core/plan/ordering/planned-acts.ts';
import { unitsOf } from '../../../core/plan/ordering/units.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import type { Step } from '../../../core/plan/types/step.ts';

/**
 * What a plan does, as far as an approval or a rejection of it depends on that: its effects in units that go together. An
 * approval is given to these effects, and outlives the plan.
 */
export interface PlanTerms {
  /** The tenant whose fleet it changes. */
  readonly account: string;
  /** The hosts of each unit, by its effects. */
  readonly units: ReadonlyMap<string, readonly string[]>;
  /** Windows and freezes, as text that compares. */
  readonly windows: readonly { readonly text: string; readonly kinds: readonly string[] }[];
  readonly freezes: readonly string[];
  /** Hosts that each kind of change concerns. */
  readonly counts: Readonly<Record<string, number>>;
}

export function termsOf({ account, steps, constraints, summary }: Plan): PlanTerms {
  const { windows = [], freezes = [] } = constraints ?? {};
  return {
    account: accountKey(account),
    units: effectsByUnit(steps),
    windows: windows.map(({ name, only, kinds }) => ({ text: JSON.stringify([name, only]), kinds })),
    freezes: freezes.map(({ name, from, until }) => JSON.stringify({ name, from, until })),
    counts: Object.fromEntries(changeKinds.map((kind) => [kind, summary[kind]])),
  };
}

/** What approvals of a plan had to fulfill. */
interface Required {
  readonly approvals: number;
  readonly notAuthor: boolean;
  readonly numbers: readonly { readonly limit: string; readonly allowed: number }[];
}

/** What a plan does, with what it requires. */
interface RequiringPlan {
  readonly terms: PlanTerms;
  readonly required: Required;
}

/**
 * The rest of a plan that people approved, or are approving, after a later check found another one. `kept` has hosts
 * whose changes both plans contain; the run leaves out the others. Undefined if the approvals are void.
 */
export interface KeptUnits {
  readonly leftOut: readonly string[];
  /** The later plan has changes that the approved one does not have: they wait for the next plan. */
  readonly hasMore: boolean;
}

/**
 * Approvals are given to effects in units that belong together. A unit is kept only if the later plan has exactly the
 * same one, and no approval is kept if the later plan would require more people, another number or a stricter window. A
 * run decides separately: it compares its plan with the fleet before it writes, and leaves out units whose hosts have
 * changed, whatever approvals there are.
 */
export function keptUnits(approved: RequiringPlan, later: RequiringPlan): KeptUnits | undefined {
  if (approved.terms.account !== later.terms.account) return undefined;
  if (!isEnough(approved, later) || !obeysTimes(approved.terms, later.terms)) return undefined;
  const { units } = approved.terms;
  const found = later.terms.units;
  const leftOut = [...units].flatMap(([effects, hosts]) => (found.has(effects) ? [] : hosts));
  const kept = [...units.keys()].filter((effects) => found.has(effects)).length;
  return kept === 0 ? undefined : { leftOut, hasMore: found.size > kept };
}

/** A limit that has become stricter needs a number that nobody gave. */
function isEnough({ terms, required }: RequiringPlan, { required: now }: RequiringPlan): boolean {
  return (
    required.approvals >= now.approvals &&
    (required.notAuthor || !now.notAuthor) &&
    now.numbers.every(
      ({ limit, allowed }) =>
        required.numbers.some((each) => each.limit === limit) || (terms.counts[limit] ?? 0) <= allowed,
    )
  );
}

/** Every window and freeze of the later plan that concerns changes of the approved one is also in that one. */
function obeysTimes({ windows, freezes, counts }: PlanTerms, later: PlanTerms): boolean {
  const known = new Set(windows.map(({ text }) => text));
  return (
    later.windows.every(
      ({ text, kinds }) => known.has(text) || kinds.every((kind) => (counts[kind] ?? 0) === 0),
    ) && later.freezes.every((each) => freezes.includes(each))
  );
}

/** The hosts of each unit, by its effects. */
function effectsByUnit(steps: readonly Step[]): ReadonlyMap<string, readonly string[]> {
  const units = unitsOf(steps);
  const parts = new Map<HostId, { readonly hosts: Set<HostId>; readonly effects: string[] }>();
  for (const act of actsOf(steps)) {
    const unit = units.of(act.hostId);
    const part = parts.get(unit) ?? { hosts: new Set(), effects: [] };
    parts.set(unit, part);
    part.hosts.add(act.hostId);
    part.effects.push(effectOf(act));
  }
  return new Map(
    [...parts.values()].map(({ hosts, effects }) => [effects.toSorted().join('\n'), [...hosts]]),
  );
}

/**
 * Host, attribute, from and to. A status refresh is no effect: it changes nothing, so nobody approves it. The name and
 * the group of the host always count, because a person decided about the host that they saw.
 */
function effectOf({ hostId, kind, name, from, to, group }: PlannedAct): string {
  return JSON.stringify({ hostId, kind, name, groupId: from, to: to ?? group?.id ?? null });
}
