import { scanFleetList } from '../../../core/columns/fleet-list/scan-fleet-list.ts';
import { tableOf } from '../../../core/columns/host-table.ts';
import type { BodyReader } from '../../client/client.ts';
import type { ResponseBody } from '../../contract/api.ts';
import { fromListedGroup, fromListedHost } from '../listed-host.ts';
import { salvageHosts } from '../salvage-hosts.ts';
import type { FleetList } from './fleet-list.ts';

export const fleetListReader: BodyReader<ResponseBody<'listHostsWithGroups'>, FleetList> = {
  // The scanner has checked that all ids are 64-bit integers.
  fast: (json) => scanFleetList(json) as FleetList | undefined,
  full: ({ groups, hosts }) => ({
    groups: groups.map(fromListedGroup),
    hosts: tableOf(hosts.map(fromListedHost)),
  }),
  salvage(body) {
    const salvaged = salvageHosts(body);
    return salvaged === undefined ? undefined : { ...salvaged, hosts: tableOf(salvaged.hosts) };
  },
};
