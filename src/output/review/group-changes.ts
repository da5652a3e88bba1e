import { ungroupedId } from '../../core/model/observed.ts';
import type { HostRow, PlanRows } from './rows.ts';

export interface GroupArrival {
  readonly host: HostRow;
  /** The id of the group before the move. */
  readonly from: string;
}

export interface Departure {
  readonly host: HostRow;
  /** The id of the group after the move. */
  readonly to: string;
}

/** The changes to one group, with its number of hosts before and after. */
export interface GroupChange {
  readonly groupId: string;
  readonly before: number;
  readonly after: number;
  readonly arrivals: readonly GroupArrival[];
  readonly departures: readonly Departure[];
  readonly deleted: readonly HostRow[];
}

/** The groups with arriving, leaving or deleted hosts, those with the most changes first. */
export function groupChanges(rows: PlanRows): readonly GroupChange[] {
  const sizes = new Map<string, number>(rows.plan.groups.map(({ id, hosts }) => [id, hosts]));
  const groups = new Map<string, { arrivals: GroupArrival[]; departures: Departure[]; deleted: HostRow[] }>();
  const of = (id: string) => {
    const known = groups.get(id) ?? { arrivals: [], departures: [], deleted: [] };
    groups.set(id, known);
    return known;
  };
  for (const { groupId, hosts } of rows.moves) {
    for (const host of hosts) {
      of(groupId).arrivals.push({ host, from: host.expects.groupId });
      of(host.expects.groupId).departures.push({ host, to: groupId });
    }
  }
  for (const host of rows.deletions) of(host.expects.groupId).deleted.push(host);
  return [...groups]
    .map(([groupId, group]) => {
      const before = sizes.get(groupId) ?? 0;
      const after = before + group.arrivals.length - group.departures.length - group.deleted.length;
      return { groupId, before, after, ...group };
    })
    .sort((a, b) => hostsOf(b) - hostsOf(a));
}

/** The number of hosts that are listed for the group. */
function hostsOf({
  arrivals,
  departures,
  deleted,
}: Pick<GroupChange, 'arrivals' | 'departures' | 'deleted'>): number {
  return arrivals.length + departures.length + deleted.length;
}

/** The name of a group as it is; words for no group and for a group without a name. */
export function rawGroupName(id: string, name: string | null): string {
  if (id === ungroupedId) return 'no group';
  return name ?? `group ${id}`;
}
