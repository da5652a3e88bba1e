import { compareInt64 } from '../../lib/int64.ts';
import type { GroupId, HostId, Observed, ObservedHost } from '../../model/observed.ts';
import { compareHostIds } from '../difference/compare-hosts.ts';
import type { HostState, TouchedGroup } from '../types/plan.ts';
import type { PlannedAct } from './planned-acts.ts';

/**
 * The current and new groups of the hosts that a plan changes or refreshes, in the order of their ids, with their values
 * in the list.
 */
export function touchedGroups(
  acts: Iterable<PlannedAct>,
  refreshed: readonly ObservedHost[],
  observed: Observed,
): readonly TouchedGroup[] {
  const sizes = new Map<GroupId, number>(refreshed.map(({ groupId }) => [groupId, 0]));
  for (const { from, group } of acts) {
    sizes.set(from, 0);
    if (group !== undefined) sizes.set(group.id, 0);
  }
  for (let index = 0; index < observed.count; index += 1) {
    const groupId = observed.groupIdAt(index);
    const size = sizes.get(groupId);
    if (size !== undefined) sizes.set(groupId, size + 1);
  }
  return [...sizes]
    .sort(([a], [b]) => compareInt64(a, b))
    .map(([id, hosts]) => ({ id, name: observed.groupById(id)?.name ?? null, hosts }));
}

/** What the list showed of the hosts that a plan deletes or gives the anti-virus, in the order of their ids. */
export function hostStatesOf(acts: Iterable<PlannedAct>, observed: Observed): readonly HostState[] {
  const hostIds: HostId[] = [];
  for (const { kind, hostId } of acts) if (kind === 'delete' || kind === 'antivirus') hostIds.push(hostId);
  return hostIds.sort(compareHostIds).flatMap((hostId) => {
    const host = observed.byId(hostId);
    if (host === undefined) return [];
    const { online, stateChangedAt } = host;
    return [{ hostId, online, ...(stateChangedAt === undefined ? {} : { stateChangedAt }) }];
  });
}
