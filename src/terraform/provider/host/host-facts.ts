import type { Observed, ObservedHost } from '../../../core/model/observed.ts';
import { readTemporaryName } from '../../../core/model/temporary-name.ts';

/** The facts of a host in the lists, as resources and data sources show them. */
export interface HostFacts {
  readonly id: string;
  readonly name: string | null;
  /** The group's name; null if the host is in no group. */
  readonly group: string | null;
  readonly group_id: string;
  readonly online: boolean;
  readonly host_name: string | null;
  readonly state_changed_at: string | null;
}

export function factsOf(host: ObservedHost, fleet: Observed | undefined): HostFacts {
  return {
    id: host.id,
    name: host.name,
    group: fleet?.groupById(host.groupId)?.name ?? null,
    group_id: host.groupId,
    online: host.online,
    host_name: host.hostName ?? null,
    state_changed_at: host.stateChangedAt ?? null,
  };
}

export function hasTemporaryName({ name }: ObservedHost): boolean {
  return readTemporaryName(name) !== undefined;
}
