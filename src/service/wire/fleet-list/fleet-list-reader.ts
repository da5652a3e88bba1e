import { tableOf } from '../../../core/model/host-table.ts';
import type { BodyReader } from '../../client/client.ts';
import type { ResponseBody } from '../../contract/api.ts';
import { fromListedGroup, fromListedHost } from '../listed-host.ts';
import { salvageHosts } from '../salvage-hosts.ts';
import type { FleetList } from './fleet-list.ts';
import { scanFleetList } from './scan-fleet-list.ts';

export const fleetListReader: BodyReader<ResponseBody<'listHostsWithGroups'>, FleetList> = {
  quick: scanFleetList,
  general: ({ groups, hosts }) => ({
    groups: groups.map(fromListedGroup),
    hosts: tableOf(hosts.map(fromListedHost)),
  }),
  salvage(body) {
    const salvaged = salvageHosts(body);
    return salvaged === undefined ? undefined : { ...salvaged, hosts: tableOf(salvaged.hosts) };
  },
};
