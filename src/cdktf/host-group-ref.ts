import type { GroupMembersConfig } from './generated/bindings.ts';
import { literal } from './literal.ts';

/** A group that was created in the console, by its name or by its id. */
export interface IHostGroup {
  /** Absent if the group is known by its id. */
  readonly groupName?: string;
  /** Absent if the group is known by its name. */
  readonly groupId?: string;
}

/** The arguments that identify it. */
export function groupArguments({
  groupName,
  groupId,
}: IHostGroup): Pick<GroupMembersConfig, 'group' | 'groupId'> {
  if (groupId !== undefined) return { groupId };
  return groupName === undefined ? {} : { group: literal(groupName) };
}
