import { type HostId, mayBeUnreadable } from '../../core/model/observed.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { LiveFleet } from './live-fleet.ts';

/** Why a host that the list does not show may not be deleted; undefined if it is. */
export function whyNotDeleted(fleet: LiveFleet, id: HostId): Problem | undefined {
  if (fleet.byId(id) !== undefined) return undefined;
  if (mayBeUnreadable(fleet, id)) {
    return problem('unreadable-host', `host ${id} may be one of the hosts in the list that can't be read`, {
      hint: "try again; if this persists, contact the service's support",
      hostIds: [id],
    });
  }
  if (!fleet.wasEmpty) return undefined;
  return problem(
    'hosts-missing',
    `the list has no hosts, so it does not show whether host ${id} was deleted`,
    {
      hint: 'check the account and its service; if the host was deleted, remove it from the configuration, and from the state with: terraform state rm',
      hostIds: [id],
    },
  );
}
