import type { GroupId } from '../../../model/group.ts';
import type { HostId } from '../../../model/host-id.ts';
import { hostsOf, type Observed } from '../../../model/observed.ts';

export function membersOf(fleet: Observed, group: GroupId): ReadonlySet<HostId> {
  return new Set(hostsOf(fleet).flatMap((host) => (host.groupId === group ? [host.id] : [])));
}
