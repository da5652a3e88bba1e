import { ungroupedId } from '../../model/observed.ts';
import { allowance, type ChangeKind, changeKinds, type GroupPolicy } from '../../model/policy.ts';
import { type Problem, problem } from '../../problem/problem.ts';
import type { HostDifference } from '../difference/compare.ts';
import type { GroupTarget } from '../intents/groups.ts';
import type { Breach, PlannedLimit } from '../types/plan.ts';
import { countWords } from './guard.ts';

export interface GroupBreaches {
  readonly limits: readonly PlannedLimit[];
  readonly breaches: readonly Breach[];
  readonly problems: readonly Problem[];
}

/** Compares the changes of a group's hosts with the group's own limits; a share is a share of these hosts. */
export function groupLimits(
  { limits, place }: GroupPolicy,
  group: GroupTarget,
  changes: readonly HostDifference[],
  size: number,
): GroupBreaches {
  const name = group.name ?? group.id;
  const breaches = changeKinds.flatMap((kind): readonly Breach[] => {
    const limit = limits[kind];
    if (limit === undefined) return [];
    const count = changes.filter((change) => has[kind](change)).length;
    const allowed = allowance(limit, size);
    return count <= allowed ? [] : [{ limit: kind, group: name, count, allowed, acknowledged: false }];
  });
  const inForce = changeKinds.flatMap((kind): readonly PlannedLimit[] => {
    const limit = limits[kind];
    return limit === undefined ? [] : [{ limit: kind, groupId: group.id, allowed: allowance(limit, size) }];
  });
  const problems = breaches.map(({ limit, count, allowed }) =>
    problem(
      'group-limit-exceeded',
      `${countWords(count, limit as ChangeKind)} planned in ${describeGroup(group)}, but the limit is ${allowed}`,
      {
        place,
        policy: `groups.${name}.limits.${limit}`,
        hint: "--ack can't override the limit of a group: plan fewer changes with --target, or raise the limit in the file",
      },
    ),
  );
  return { limits: inForce, breaches, problems };
}

export function describeGroup({ id, name }: GroupTarget): string {
  if (name !== null) return `"${name}"`;
  return id === ungroupedId ? 'no group' : `group ${id}`;
}

const has: Readonly<Record<ChangeKind, (change: HostDifference) => boolean>> = {
  rename: ({ rename }) => rename !== undefined,
  move: ({ move }) => move !== undefined,
  antivirus: ({ antivirus }) => antivirus,
  delete: (change) => change.delete,
};
