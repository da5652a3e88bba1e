import { isPresent } from '../../protocol/value/unknown.ts';
import type { HostState } from '../host/host-values.ts';
import { kit, withService } from '../service.ts';
import { toDiagnostics } from '../to-diagnostics.ts';
import { hostsListSchema } from './hosts-list-schema.ts';

export const hostsList = kit.list<typeof hostsListSchema, HostState>({
  schema: hostsListSchema,
  validate: async ({ where }) => {
    if (!isPresent(where)) return [];
    const { readCondition } = await import('../data/condition.ts');
    const condition = readCondition(where);
    return condition.ok ? [] : toDiagnostics(condition.problems, ['where']);
  },
  list: (config, call) =>
    withService(call, async (service) => (await import('./find-hosts.ts')).findHosts(service, config, call)),
});
