import type { HostResourceState } from '../host/host-values.ts';
import { kit, whereFaults, withService } from '../service.ts';
import { hostsListSchema } from './hosts-list-schema.ts';

export const hostsList = kit.list<typeof hostsListSchema, HostResourceState>({
  schema: hostsListSchema,
  validate: ({ where }) => whereFaults(where),
  list: (config, call) =>
    withService(call, async (service) => (await import('./find-hosts.ts')).findHosts(service, config, call)),
});
