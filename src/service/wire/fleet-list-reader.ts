import { scanFleetList } from '../../core/columns/fleet-list/scan-fleet-list.ts';
import { type HostTable, tableOf } from '../../core/columns/host-table.ts';
import type { Group, ObservedHost, UnreadableHost } from '../../core/model/observed.ts';
import type { BodyReader } from '../client/client.ts';
import type { ResponseBody } from '../contract/api.ts';
import { fromListedGroup, fromListedHost } from './listed-host.ts';
import { salvageHosts } from './salvage-hosts.ts';

/** All groups and hosts in the order of the list. */
interface FleetList {
  readonly groups: readonly Group[];
  readonly hosts: HostTable<ObservedHost>;
  /** Hosts that break the contract; absent if there are none. */
  readonly unreadable?: readonly UnreadableHost[];
}

export const fleetListReader: BodyReader<ResponseBody<'listHostsWithGroups'>, FleetList> = {
  // The scanner has checked that all ids are 64-bit integers.
  fast: (json) => scanFleetList(json) as FleetList | undefined,
  full: ({ groups, hosts }) => ({
    groups: groups.map(fromListedGroup),
    hosts: tableOf(hosts.map(fromListedHost)),
  }),
  salvage(body) {
    const salvaged = salvageHosts(body);
    if (salvaged === undefined || !('value' in salvaged)) return salvaged;
    return { value: { ...salvaged.value, hosts: tableOf(salvaged.value.hosts) } };
  },
};
