import { allowance, type ChangeKind, changeKinds, type GroupPolicy } from '../../model/policy.ts';
import { problem } from '../../problem/problem.ts';
import type { HostDifference } from '../difference/compare.ts';
import type { GroupTarget } from '../intents/groups.ts';
import { describeGroup } from '../intents/groups.ts';
import type { Breach, PlannedLimit } from '../types/plan.ts';
import { countWords, type Guarded } from './guard.ts';

/** Compares the changes of a group's hosts with the group's own limits; a share is a share of these hosts. */
export function groupLimits(
  { limits, place }: GroupPolicy,
  group: GroupTarget,
  changes: readonly HostDifference[],
  size: number,
): Guarded {
  const name = group.name ?? group.id;
  const inForce = changeKinds.flatMap((kind): readonly PlannedLimit[] => {
    const limit = limits[kind];
    return limit === undefined ? [] : [{ limit: kind, groupId: group.id, allowed: allowance(limit, size) }];
  });
  const breaches = inForce.flatMap(({ limit, allowed }): readonly Breach[] => {
    const count = changes.filter(isOfKind[limit]).length;
    return count <= allowed ? [] : [{ limit, group: name, count, allowed, acknowledged: false }];
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

/** Does the host change in this way? */
export const isOfKind: Readonly<Record<ChangeKind, (change: HostDifference) => boolean>> = {
  rename: ({ rename }) => rename !== undefined,
  move: ({ move }) => move !== undefined,
  antivirus: ({ antivirus }) => antivirus,
  delete: (change) => change.delete,
};
