import type { HostId } from '../../../core/model/observed.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { hostIdFaults, kit, withService } from '../service.ts';
import { hostIdsArgument } from './action-hosts.ts';

export const antivirusRefresh = kit.action({
  schema: defineSchema({
    description:
      'Asks hosts to report the status of their anti-virus. It changes nothing on the hosts. The action fails if any host may not have received the command, for example because it is offline. The service does not report when a host has answered.',
    attributes: { host_ids: hostIdsArgument },
  }),
  validate: ({ host_ids }) => hostIdFaults(host_ids),
  invoke: ({ host_ids }, call) =>
    withService(call, async (service) =>
      (await import('./refresh-hosts.ts')).refreshHosts(service, host_ids as readonly HostId[], call),
    ),
});
