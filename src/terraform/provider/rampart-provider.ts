import { problem } from '../../problem/problem.ts';
import { failed, ok } from '../../problem/result.ts';
import { hasErrors } from '../protocol/provider/diagnostic.ts';
import type { Provider } from '../protocol/provider/provider.ts';
import { configurationSchema } from './connection/configuration.ts';
import { openConnection, type Surroundings } from './connection/open-connection.ts';
import { unknownArguments } from './connection/settings.ts';
import { antivirusData } from './data/antivirus-data.ts';
import { customFieldCategoriesData, customFieldValuesData } from './data/custom-fields-data.ts';
import { groupsData } from './data/groups-data.ts';
import { hostData } from './data/host-data.ts';
import { hostsData } from './data/hosts-data.ts';
import { inventoryData } from './data/inventory-data.ts';
import { connectionTicket } from './ephemeral/connection-ticket.ts';
import { fleetResource } from './fleet/fleet-resource.ts';
import { formatHostName } from './functions/format-host-name.ts';
import { hostNameConflicts } from './functions/host-name-conflicts.ts';
import { parseHostName } from './functions/parse-host-name.ts';
import { hostResource } from './host/host-resource.ts';
import { openService } from './open-service.ts';
import { kit, type Rampart } from './service.ts';
import { toDiagnostics } from './to-diagnostics.ts';

/** The provider `rampart`; what its block does not say it reads from the given environment. */
export function rampartProvider(surroundings: Surroundings): Provider<Rampart> {
  return kit.provider({
    schema: configurationSchema,
    configure: async (config) => {
      const unknown = unknownArguments(config);
      if (unknown.length > 0) return { client: { service: failed(...unknown.map(notKnownYet)) } };
      const connection = await openConnection(config, surroundings);
      const diagnostics = toDiagnostics(connection.problems);
      if (!connection.ok || hasErrors(diagnostics)) return { diagnostics };
      return {
        diagnostics,
        client: { service: ok(openService(connection.value, config, surroundings)) },
      };
    },
    close: async ({ service }) => {
      if (service.ok) await service.value.close();
    },
    resources: { rampart_host: hostResource, rampart_fleet: fleetResource },
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
    functions: {
      parse_host_name: parseHostName,
      format_host_name: formatHostName,
      host_name_conflicts: hostNameConflicts,
    },
  });
}

function notKnownYet(argument: string) {
  return problem('configuration', `the provider’s argument ${argument} is not known yet`, {
    hint: 'it is the result of something that is yet to be applied: apply that first with -target, or give the value by a variable or the environment',
  });
}
