import { compareInt64 } from '../../core/lib/int64.ts';
import { plannedActs } from '../../core/plan/ordering/planned-acts.ts';
import type { Plan } from '../../core/plan/types/plan.ts';

/** How many hosts arrive in a group, leave it and are deleted, with its number of hosts before and after. */
export interface GroupChange {
  readonly groupId: string;
  readonly before: number;
  readonly after: number;
  readonly arrivals: number;
  readonly departures: number;
  readonly deleted: number;
}

/** The groups with arriving, leaving or deleted hosts, those with the most changes first, then by id. */
export function groupChanges(plan: Plan): readonly GroupChange[] {
  const sizes = new Map<string, number>(plan.groups.map(({ id, hosts }) => [id, hosts]));
  const groups = new Map<string, { arrivals: number; departures: number; deleted: number }>();
  const of = (id: string) => {
    const known = groups.get(id) ?? { arrivals: 0, departures: 0, deleted: 0 };
    groups.set(id, known);
    return known;
  };
  for (const { kind, from, group } of plannedActs(plan)) {
    if (group !== undefined) {
      of(group.id).arrivals += 1;
      of(from).departures += 1;
    } else if (kind === 'delete') of(from).deleted += 1;
  }
  return [...groups]
    .map(([groupId, group]) => {
      const before = sizes.get(groupId) ?? 0;
      const after = before + group.arrivals - group.departures - group.deleted;
      return { groupId, before, after, ...group };
    })
    .sort((a, b) => hostsOf(b) - hostsOf(a) || compareInt64(a.groupId, b.groupId));
}

/** The number of changes of hosts that concern the group. */
function hostsOf({ arrivals, departures, deleted }: GroupChange): number {
  return arrivals + departures + deleted;
}
