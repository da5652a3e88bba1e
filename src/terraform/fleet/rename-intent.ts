import { foldName } from '../../core/model/host-name.ts';
import type { HostId, ObservedHost } from '../../core/model/observed.ts';
import type { LiveFleet } from './live-fleet.ts';

/** The intent of one rename. */
export interface RenameIntent {
  readonly hostId: HostId;
  readonly to: string;
}

/** Other hosts that have the intended name. */
export function ownersOf(fleet: LiveFleet, { hostId, to }: RenameIntent): readonly ObservedHost[] {
  return fleet.byFoldedName(foldName(to)).filter(({ id }) => id !== hostId);
}

/** Hosts that swap names, as far as their intents are known. */
export interface Circle {
  readonly hosts: ReadonlySet<HostId>;
  /** Every host in it needs a name that another one owns: no other host takes part. */
  readonly isWhole: boolean;
}

/** The cycle of a host, according to all known intents. */
export function circleOf(
  start: HostId,
  intents: ReadonlyMap<HostId, RenameIntent>,
  fleet: LiveFleet,
): Circle {
  const claimants = Map.groupBy(intents.values(), ({ to }) => foldName(to));
  const hosts = new Set<HostId>([start]);
  let isWhole = true;
  for (const id of hosts) {
    const intent = intents.get(id);
    if (intent === undefined) isWhole = false;
    else for (const owner of ownersOf(fleet, intent)) hosts.add(owner.id);
    const name = fleet.byId(id)?.name;
    if (name === undefined || name === null) continue;
    for (const { hostId } of claimants.get(foldName(name)) ?? []) hosts.add(hostId);
  }
  return { hosts, isWhole };
}
