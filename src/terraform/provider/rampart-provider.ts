import type { Provider } from '../protocol/provider/provider.ts';
import { antivirusInstall } from './actions/antivirus-install.ts';
import { antivirusRefresh } from './actions/antivirus-refresh.ts';
import { connectionTicketAction } from './actions/connection-ticket.ts';
import { inventoryPull } from './actions/inventory-pull.ts';
import { configurationSchema } from './connection/configuration.ts';
import { limitFaults } from './connection/limits.ts';
import type { Surroundings } from './connection/open-connection.ts';
import { antivirusData } from './data/antivirus-data.ts';
import { customFieldCategoriesData, customFieldValuesData } from './data/custom-fields-data.ts';
import { groupsData } from './data/groups-data.ts';
import { hostData } from './data/host-data.ts';
import { hostsData } from './data/hosts-data.ts';
import { inventoryData } from './data/inventory-data.ts';
import { connectionTicket } from './ephemeral/connection-ticket.ts';
import { fleetResource } from './fleet/fleet-resource.ts';
import { formatHostName, hostNameConflicts, parseHostName } from './functions/format-host-name.ts';
import { hostResource } from './host/host-resource.ts';
import { hostsList } from './lists/hosts-list.ts';
import { membersResource } from './members/members-resource.ts';
import { kit, type Rampart } from './service.ts';

/** The provider `rampart`. Settings that its block does not contain come from the given environment. */
export function rampartProvider(surroundings: Surroundings): Provider<Rampart> {
  return kit.provider({
    schema: configurationSchema,
    validate: limitFaults,
    configure: async (config) => (await import('./connect.ts')).connectProvider(config, surroundings),
    stop: ({ service }) => {
      if (service.ok) service.value.interrupt();
    },
    close: async ({ service }) => {
      if (service.ok) await service.value.close();
    },
    resources: {
      rampart_host: hostResource,
      rampart_fleet: fleetResource,
      rampart_group_members: membersResource,
    },
    dataSources: {
      rampart_host: hostData,
      rampart_hosts: hostsData,
      rampart_groups: groupsData,
      rampart_custom_field_categories: customFieldCategoriesData,
      rampart_custom_field_values: customFieldValuesData,
      rampart_antivirus: antivirusData,
      rampart_hardware_inventory: inventoryData('hardware'),
      rampart_system_inventory: inventoryData('system'),
    },
    ephemerals: { rampart_connection_ticket: connectionTicket },
    lists: { rampart_host: hostsList },
    actions: {
      rampart_antivirus_refresh: antivirusRefresh,
      rampart_antivirus_install: antivirusInstall,
      rampart_inventory_pull: inventoryPull,
      rampart_connection_ticket: connectionTicketAction,
    },
    functions: {
      parse_host_name: parseHostName,
      format_host_name: formatHostName,
      host_name_conflicts: hostNameConflicts,
    },
  });
}
