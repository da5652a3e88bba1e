import type { BodyReader } from '../../client/client.ts';
import type { ResponseBody } from '../../contract/api.ts';
import { fromListedGroup, fromListedHost } from '../listed-host.ts';
import type { FleetList } from './fleet-list.ts';
import { scanFleetList } from './scan-fleet-list.ts';

export const fleetListReader: BodyReader<ResponseBody<'listHostsWithGroups'>, FleetList> = {
  quick: scanFleetList,
  general: ({ groups, hosts }) => ({
    groups: groups.map(fromListedGroup),
    hosts: hosts.map(fromListedHost),
  }),
};
