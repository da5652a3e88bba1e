import { type GroupId, type HostId, hostsOf, type Observed } from '../../../core/model/observed.ts';

export function membersOf(fleet: Observed, group: GroupId): ReadonlySet<HostId> {
  return new Set(hostsOf(fleet).flatMap((host) => (host.groupId === group ? [host.id] : [])));
}
