import { ungroupedId } from '../../core/model/group.ts';
import type { RenameRow } from '../review/rename-rows.ts';
import type { HostRow, PlanRows } from '../review/rows.ts';
import type { ShownName } from './page-data.ts';
import { toShownName } from './shown-name.ts';

export interface Arrival {
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
  readonly name: ShownName;
  readonly before: number;
  readonly after: number;
  readonly arrivals: readonly Arrival[];
  readonly departures: readonly Departure[];
  readonly deleted: readonly HostRow[];
}

/**
 * The names of the groups in the plan. Before format 1.2, a plan contained only those of groups that hosts are moved
 * to.
 */
export function groupNames(rows: PlanRows): Readonly<Record<string, ShownName>> {
  const names: Record<string, ShownName> = {};
  const call = (id: string, name: string | null) => {
    names[id] = name === null ? `group ${id}` : toShownName(name);
  };
  for (const { expects } of changedHosts(rows)) call(expects.groupId, null);
  for (const { id, name } of rows.plan.groups ?? []) call(id, name);
  for (const { groupId, groupName } of rows.moves) call(groupId, groupName);
  if (ungroupedId in names) names[ungroupedId] = 'no group';
  return names;
}

/** The groups with arriving, leaving or deleted hosts, those with the most changes first. */
export function groupChanges(rows: PlanRows): readonly GroupChange[] {
  const names = groupNames(rows);
  const sizes = sizesBefore(rows);
  const groups = new Map<string, { arrivals: Arrival[]; departures: Departure[]; deleted: HostRow[] }>();
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
      return { groupId, name: names[groupId] ?? null, before, after, ...group };
    })
    .sort((a, b) => hostsOf(b) - hostsOf(a));
}

/** The number of hosts that are listed for the group. */
export function hostsOf({ arrivals, departures, deleted }: GroupChange): number {
  return arrivals.length + departures.length + deleted.length;
}

/** Does the plan contain the sizes of its groups? Before format 1.2, it had only the hosts that it changes. */
export function knowsSizes({ plan }: PlanRows): boolean {
  return plan.groups !== undefined;
}

function sizesBefore(rows: PlanRows): ReadonlyMap<string, number> {
  const { groups } = rows.plan;
  if (groups !== undefined) return new Map(groups.map(({ id, hosts }) => [id, hosts]));
  return new Map([...changedMembers(rows)].map(([id, hosts]) => [id, hosts.size]));
}

function changedMembers(rows: PlanRows): ReadonlyMap<string, ReadonlySet<string>> {
  const members = new Map<string, Set<string>>();
  for (const { hostId, expects } of changedHosts(rows)) {
    const known = members.get(expects.groupId) ?? new Set();
    members.set(expects.groupId, known.add(hostId));
  }
  return members;
}

function changedHosts({ moves, deletions, installs, renames }: PlanRows): readonly (HostRow | RenameRow)[] {
  return [
    ...deletions,
    ...installs,
    ...moves.flatMap((each) => each.hosts),
    ...renames.flatMap((each) => each.rows),
  ];
}
