import type { HostTable } from '../../../core/columns/host-table.ts';
import type { Group } from '../../../core/model/group.ts';
import type { ObservedHost } from '../../../core/model/observed.ts';
import type { UnreadableHost } from '../../../core/model/unreadable-host.ts';

/** All groups and hosts as the list has them, in its order. */
export interface FleetList {
  readonly groups: readonly Group[];
  readonly hosts: HostTable<ObservedHost>;
  /** Hosts that break the contract; absent where none does. */
  readonly unreadable?: readonly UnreadableHost[];
}
