import type { Observed, ObservedHost } from '../../../core/model/observed.ts';
import { readTemporaryName } from '../../../core/model/temporary-name.ts';

/** The facts of a host in the lists, as its resource shows them. */
export interface HostFacts {
  readonly id: string;
  readonly name: string | null;
  /** The group's name; null if the host is in no group. */
  readonly group: string | null;
  readonly group_id: string;
  readonly online: boolean;
  readonly host_name: string | null;
}

/** As data sources show them. A resource does not store when its host came online: each of its diffs would show it. */
interface AllHostFacts extends HostFacts {
  readonly state_changed_at: string | null;
}

export function factsOfHost(host: ObservedHost, fleet: Observed | undefined): HostFacts {
  return {
    id: host.id,
    name: host.name,
    group: fleet?.groupById(host.groupId)?.name ?? null,
    group_id: host.groupId,
    online: host.online,
    host_name: host.hostName ?? null,
  };
}

export function allFactsOf(host: ObservedHost, fleet: Observed): AllHostFacts {
  return { ...factsOfHost(host, fleet), state_changed_at: host.stateChangedAt ?? null };
}

export function hasTemporaryName({ name }: ObservedHost): boolean {
  return readTemporaryName(name) !== undefined;
}
