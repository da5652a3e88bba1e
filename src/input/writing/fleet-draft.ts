import type { GroupId, GroupIntent } from '../../core/model/group.ts';
import type { HostId } from '../../core/model/host-id.ts';

/** A live fleet as it is about to be written: every host once, pinned by its id, in the order of the file. */
export interface FleetDraft {
  /** Absent if it is not known. */
  readonly companyId?: string;
  readonly groups: readonly GroupDraft[];
}

/** The hosts of one group; one of them at least. */
export interface GroupDraft {
  /** -1 for the hosts that are in no group. */
  readonly groupId: GroupId;
  /** Null: no group, or one without a name. */
  readonly name: string | null;
  /** Absent if nothing can be said of it: the list of groups does not have it. */
  readonly intent?: GroupIntent;
  readonly hosts: readonly HostDraft[];
}

export interface HostDraft {
  readonly id: HostId;
  /** What the host is called now. */
  readonly current: string | null;
  /** The same, where it can be claimed. */
  readonly name?: string;
  /** Why it can't: a clause with names made safe for a comment. */
  readonly unclaimed?: string;
  readonly antivirus: boolean;
}

export function countHosts({ groups }: FleetDraft): number {
  return groups.reduce((sum, { hosts }) => sum + hosts.length, 0);
}
