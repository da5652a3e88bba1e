import { isPresent } from '../../protocol/value/value.ts';
import type { HostResourceState } from '../host/host-values.ts';
import { kit, toDiagnostics, withService } from '../service.ts';
import { hostsListSchema } from './hosts-list-schema.ts';

export const hostsList = kit.list<typeof hostsListSchema, HostResourceState>({
  schema: hostsListSchema,
  validate: async ({ where }) => {
    if (!isPresent(where)) return [];
    const { conditionArgument } = await import('../data/condition.ts');
    const condition = conditionArgument(where);
    return condition.ok ? [] : toDiagnostics(condition.problems, ['where']);
  },
  list: (config, call) =>
    withService(call, async (service) => (await import('./find-hosts.ts')).findHosts(service, config, call)),
});
