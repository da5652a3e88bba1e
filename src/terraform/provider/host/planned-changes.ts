import {
  type GroupId,
  type GroupIntent,
  type ObservedHost,
  ungroupedId,
} from '../../../core/model/observed.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { LiveFleet } from '../../fleet/live-fleet.ts';
import { isPresent, isUnknown } from '../../protocol/value/value.ts';
import { groupIntentOf } from '../group-intent.ts';
import type { HostProposal, HostResourceState } from './host-values.ts';

/** The planned changes of one host: the difference between its prior and planned values, and nothing else. */
export interface HostChanges {
  /** Null: the name does not change. */
  readonly name: string | null;
  /** Null: the group does not change. */
  readonly group: GroupIntent | null;
  readonly antivirus: boolean;
}

/** The attributes that lead to writes. In a plan, each may be unknown. */
type WrittenValues = Pick<HostProposal, 'name' | 'group' | 'group_id' | 'antivirus'>;

/** Might the apply write? A value that is unknown in the plan may turn out to differ. */
export function mayWrite(planned: WrittenValues, prior: HostResourceState): boolean {
  const { name, group, group_id, antivirus } = planned;
  if ([name, group, group_id, antivirus].some(isUnknown)) return true;
  const changes = plannedHostChanges(planned, prior);
  return changes.name !== null || changes.group !== null || changes.antivirus;
}

/** Without a prior state the host is adopted, and the plan sets each attribute that it knows. */
export function plannedHostChanges(planned: WrittenValues, prior: HostResourceState | null): HostChanges {
  const { name, group, group_id } = planned;
  const isRenamed = isPresent(name) && name !== prior?.name;
  const isMoved =
    prior === null || group !== prior.group || (group_id !== prior.group_id && group_id !== null);
  // An id is exact even if several groups have one name. The plan shows the name too.
  const intent = groupIntentOf({ group: group_id === null ? group : null, group_id });
  return {
    name: isRenamed ? name : null,
    group: isMoved ? intent : null,
    antivirus: planned.antivirus !== null && prior?.antivirus !== planned.antivirus,
  };
}

/** The id of the group in which the plan showed the host: a state may contain only the group's name. */
export function groupAsPlanned(
  fleet: LiveFleet,
  host: ObservedHost,
  { group, group_id }: HostResourceState,
): Result<GroupId> {
  if (group_id !== null) return ok(group_id as GroupId);
  const nameNow = fleet.groupById(host.groupId)?.name ?? null;
  if (nameNow === group) return ok(host.groupId);
  if (group === null) return ok(ungroupedId);
  const [called] = fleet.groupsCalled(group);
  if (called !== undefined) return ok(called.id);
  const now = nameNow === null ? 'no group' : `"${nameNow}"`;
  return failed(
    problem(
      'stale-plan',
      `the plan showed host ${host.id} in "${group}", and no group has that name now: the host is in ${now}`,
      { hint: 'nothing was sent for this host. Plan again, and apply that plan', hostIds: [host.id] },
    ),
  );
}
