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
  readonly reason: Reason;
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
        return [{ kind: 'rename', hostId, name: expects.name, from: expects.groupId, to, reason }];
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
  return { hostId, name, from: expects.groupId, reason };
}

/** The same of differences, without their order. Blocked hosts keep their names. */
export function actsOfDifferences(
  differences: readonly HostDifference[],
  blocked: ReadonlySet<HostId>,
  desired: Desired,
): readonly PlannedAct[] {
  const reasonFor = reasonsOf(desired);
  const acts: PlannedAct[] = [];
  for (const { host, rename, move, antivirus, delete: toDelete, claims } of differences) {
    const { id: hostId, name, groupId: from } = host;
    const reasonOf = (attribute: Claimed) => reasonFor(claims[attribute] as Claim, attribute);
    if (rename !== undefined && !blocked.has(hostId))
      acts.push({ kind: 'rename', hostId, name, from, to: rename, reason: reasonOf('name') });
    if (move !== undefined)
      acts.push({ kind: 'move', hostId, name, from, group: move, reason: reasonOf('group') });
    if (antivirus) acts.push({ kind: 'antivirus', hostId, name, from, reason: reasonOf('antivirus') });
    if (toDelete) acts.push({ kind: 'delete', hostId, name, from, reason: reasonOf('ensure') });
  }
  return acts;
}

/** A plan that was just made knows its changes without their order, which takes longer to find. */
const unordered = new WeakMap<Plan, () => readonly PlannedAct[]>();

export function withActs(plan: Plan, acts: () => readonly PlannedAct[]): Plan {
  unordered.set(plan, acts);
  return plan;
}

/** In any order: for counts and sets. */
export function plannedActs(plan: Plan): readonly PlannedAct[] {
  return unordered.get(plan)?.() ?? actsOf(plan.steps);
}
