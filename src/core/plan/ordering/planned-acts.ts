import type { Desired } from '../../model/desired.ts';
import type { GroupId, HostId } from '../../model/observed.ts';
import type { ChangeKind } from '../../model/policy.ts';
import type { HostDifference } from '../difference/compare.ts';
import { type Claim, type Claimed, reasonsOf } from '../intents/claim.ts';
import type { GroupTarget } from '../intents/groups.ts';
import type { Plan } from '../types/plan.ts';
import type { BatchMember, Reason, Step } from '../types/step.ts';

/** One change of one host, as the plan's steps make it. A host with a temporary rename counts as renamed once. */
export interface PlannedAct {
  readonly kind: ChangeKind;
  readonly hostId: HostId;
  /** The name before the plan. */
  readonly name: string | null;
  /** The group before the plan. */
  readonly from: GroupId;
  /** The new name of a rename. */
  readonly to?: string;
  /** The new group of a move. */
  readonly group?: GroupTarget;
  /** Made when it is asked for: counts need none. */
  reason(): Reason;
}

/** The attribute that a change sets, as drift names it. */
export const attributeSetBy = {
  rename: 'name',
  move: 'group',
  antivirus: 'antivirus',
  delete: 'presence',
} as const satisfies Readonly<Record<ChangeKind, string>>;

/** In the order of the steps. */
export function actsOf(steps: readonly Step[]): readonly PlannedAct[] {
  return steps.flatMap((step): readonly PlannedAct[] => {
    switch (step.kind) {
      case 'temporary-rename':
      case 'refresh':
        return [];
      case 'rename': {
        const { hostId, expects, to, reason } = step;
        return [
          { kind: 'rename', hostId, name: expects.name, from: expects.groupId, to, reason: () => reason },
        ];
      }
      case 'move': {
        const group = { id: step.groupId, name: step.groupName };
        return step.hosts.map((member) => ({ kind: 'move', ...memberOf(member), group }));
      }
      case 'antivirus':
      case 'delete':
        return step.hosts.map((member) => ({ kind: step.kind, ...memberOf(member) }));
    }
  });
}

function memberOf({ hostId, name, expects, reason }: BatchMember) {
  return { hostId, name, from: expects.groupId, reason: () => reason };
}

/** The same of differences, without their order. Blocked hosts keep their names. */
export function* actsOfDifferences(
  differences: readonly HostDifference[],
  blocked: ReadonlySet<HostId>,
  desired: Desired,
): Generator<PlannedAct> {
  const reasonFor = reasonsOf(desired);
  for (const { host, rename, move, antivirus, delete: toDelete, claims } of differences) {
    const { id: hostId, name, groupId: from } = host;
    const because = (attribute: Claimed) => () => reasonFor(claims[attribute] as Claim, attribute);
    if (rename !== undefined && !blocked.has(hostId))
      yield { kind: 'rename', hostId, name, from, to: rename, reason: because('name') };
    if (move !== undefined) yield { kind: 'move', hostId, name, from, group: move, reason: because('group') };
    if (antivirus) yield { kind: 'antivirus', hostId, name, from, reason: because('antivirus') };
    if (toDelete) yield { kind: 'delete', hostId, name, from, reason: because('ensure') };
  }
}

/**
 * A plan that was just made knows its changes without their order, which takes longer to find. Each use makes them anew,
 * because together they need much memory.
 */
const unordered = new WeakMap<Plan, Iterable<PlannedAct>>();

export function withActs(plan: Plan, acts: Iterable<PlannedAct>): Plan {
  unordered.set(plan, acts);
  return plan;
}

/** In any order: for counts and sets. */
export function plannedActs(plan: Plan): Iterable<PlannedAct> {
  return unordered.get(plan) ?? actsOf(plan.steps);
}
