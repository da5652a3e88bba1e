import { type ObservedHost, ungroupedId } from '../../../core/model/observed.ts';
import type { LiveFleet } from '../../fleet/live-fleet.ts';
import { factsOfHost, hasTemporaryName } from './host-facts.ts';
import type { HostResourceState, PartialHostState } from './host-values.ts';
import { refreshedState } from './read-host.ts';
import { hostSchema } from './schema.ts';

/**
 * The state of a host as an import leaves it. A group whose name does not identify it is stored with its id, because
 * only the id can identify it in configuration. So is the absence of a group.
 */
export function importedState({ id, groupId }: ObservedHost, fleet: LiveFleet) {
  const name = fleet.groupById(groupId)?.name ?? null;
  const isNamed = groupId !== ungroupedId && name !== null && fleet.groupsCalled(name).length === 1;
  return { id, host_id: id, ...(isNamed ? {} : { group_id: groupId }) };
}

/** The same after a read. It does not manage the anti-virus, so no other list is read. */
export function foundState(host: ObservedHost, fleet: LiveFleet): HostResourceState {
  const imported = { ...unset, ...importedState(host, fleet) };
  const facts = factsOfHost(host, fleet);
  return refreshedState(imported, { ...facts, antivirus: null, status: 'settled' }, hasTemporaryName(host));
}

const unset = Object.fromEntries(
  Object.keys(hostSchema.attributes).map((name) => [name, null]),
) as PartialHostState;
