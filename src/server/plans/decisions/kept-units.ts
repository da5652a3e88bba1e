import { accountKey } from '../../../core/model/account.ts';
import type { HostId } from '../../../core/model/host-id.ts';
import type { ChangeKind } from '../../../core/model/policy.ts';
import { unitsOf } from '../../../core/plan/ordering/units.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import type { Expectation, Step } from '../../../core/plan/types/step.ts';

/** What approvals of a plan had to fulfill. */
interface Required {
  readonly approvals: number;
  readonly notAuthor: boolean;
  readonly numbers: readonly { readonly limit: string; readonly allowed: number }[];
}

/** A plan with what it requires. */
interface RequiringPlan {
  readonly plan: Plan;
  readonly required: Required;
}

/**
 * What is left of a plan that people approved, or are approving, after a later check found another one. `kept` has hosts
 * whose changes both plans contain; the run leaves out the others. Undefined if the approvals are void.
 */
export interface KeptUnits {
  readonly leftOut: readonly HostId[];
  /** The later plan has changes that the approved one does not have: they wait for the next plan. */
  readonly hasMore: boolean;
}

/**
 * Approvals are given to effects in units that go together. A unit is kept only if the later plan has exactly the same
 * one, and no approval is kept if the later plan would require more people, another number or a stricter window.
 */
export function keptUnits(approved: RequiringPlan, later: RequiringPlan): KeptUnits | undefined {
  if (accountKey(approved.plan.account) !== accountKey(later.plan.account)) return undefined;
  if (!isEnough(approved, later) || !obeysTimes(approved.plan, later.plan)) return undefined;
  const units = effectsByUnit(approved.plan.steps);
  const found = effectsByUnit(later.plan.steps);
  const leftOut = [...units].flatMap(([effects, hosts]) => (found.has(effects) ? [] : hosts));
  const kept = [...units.keys()].filter((effects) => found.has(effects)).length;
  return kept === 0 ? undefined : { leftOut, hasMore: found.size > kept };
}

/** A limit that has become stricter needs a number that nobody gave. */
function isEnough({ plan, required }: RequiringPlan, { required: now }: RequiringPlan): boolean {
  return (
    required.approvals >= now.approvals &&
    (required.notAuthor || !now.notAuthor) &&
    now.numbers.every(
      ({ limit, allowed }) =>
        required.numbers.some((each) => each.limit === limit) || plan.summary[limit as ChangeKind] <= allowed,
    )
  );
}

/** Every window and freeze of the later plan that concerns changes of the approved one is also in that one. */
function obeysTimes({ constraints, summary }: Plan, { constraints: now }: Plan): boolean {
  const keyOf = ({ name, only }: { readonly name: string; readonly only: readonly string[] }) =>
    JSON.stringify([name, only]);
  const windows = new Set(constraints?.windows.map(keyOf));
  const freezeOf = ({ name, from, until }: { name: string; from?: string; until?: string }) =>
    JSON.stringify([name, from, until]);
  const freezes = new Set(constraints?.freezes.map(freezeOf));
  return (
    (now?.windows ?? []).every(
      (each) => windows.has(keyOf(each)) || each.kinds.every((kind) => summary[kind] === 0),
    ) && (now?.freezes ?? []).every((each) => freezes.has(freezeOf(each)))
  );
}

/** The hosts of each unit, by its effects. */
function effectsByUnit(steps: readonly Step[]): ReadonlyMap<string, readonly HostId[]> {
  const units = unitsOf(steps);
  const parts = new Map<HostId, { readonly hosts: Set<HostId>; readonly effects: string[] }>();
  for (const step of steps)
    for (const [host, effect] of effectsOf(step)) {
      const unit = units.of(host);
      const part = parts.get(unit) ?? { hosts: new Set(), effects: [] };
      parts.set(unit, part);
      part.hosts.add(host);
      part.effects.push(effect);
    }
  return new Map(
    [...parts.values()].map(({ hosts, effects }) => [effects.toSorted().join('\n'), [...hosts]]),
  );
}

/**
 * Host, attribute, from and to. A temporary name is not an effect: the step that follows it is. The name and the group of
 * the host count in any case, because a person decided about the host that they saw.
 */
function effectsOf(step: Step): readonly (readonly [HostId, string])[] {
  const effect = ({ hostId, name, groupId }: Expectation, to: string | null): readonly [HostId, string] => [
    hostId,
    JSON.stringify([hostId, step.kind, name, groupId, to]),
  ];
  switch (step.kind) {
    case 'temporary-rename':
      return [];
    case 'rename':
      return [effect(step.expects, step.to)];
    case 'move':
      return step.hosts.map(({ expects }) => effect(expects, step.groupId));
    case 'antivirus':
    case 'refresh':
    case 'delete':
      return step.hosts.map(({ expects }) => effect(expects, null));
  }
}
