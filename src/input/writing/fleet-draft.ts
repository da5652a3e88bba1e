import type { GroupId, GroupIntent, HostId } from '../../core/model/observed.ts';

/** A live fleet before it is written: every host once, pinned by its id, in the order of the file. */
export interface FleetDraft {
  /** Absent if unknown. */
  readonly companyId?: string;
  readonly groups: readonly GroupDraft[];
}

/** The hosts of one group; at least one. */
export interface GroupDraft {
  /** -1 for hosts without a group. */
  readonly groupId: GroupId;
  /** Null: no group, or one without a name. */
  readonly name: string | null;
  /** Absent if the group can't be expressed, because the list of groups does not have it. */
  readonly intent?: GroupIntent;
  readonly hosts: readonly HostDraft[];
}

export interface HostDraft {
  readonly id: HostId;
  /** The current name of the host. */
  readonly current: string | null;
  /** The same name, if it can be claimed. */
  readonly name?: string;
  /** Why it can't be claimed: a clause with names made safe for a comment. */
  readonly unclaimed?: string;
  readonly antivirus: boolean;
  /** The host should be deleted. */
  readonly absent?: true;
}

export function countHosts({ groups }: FleetDraft): number {
  return groups.reduce((sum, { hosts }) => sum + hosts.length, 0);
}
