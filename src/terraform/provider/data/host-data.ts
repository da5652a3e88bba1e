import { exactlyOneOf } from '../../protocol/schema/config-rule.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { allFactsOf } from '../host/host-facts.ts';
import { hostSpecOf } from '../host/host-spec.ts';
import { isHostId } from '../host/schema.ts';
import { kit, toDiagnostics, withFleet } from '../service.ts';
import { hostAttributes } from './host-attributes.ts';

export const hostData = kit.dataSource({
  schema: defineSchema({
    description:
      'One host, by its id or its name, from the list that all resources and data sources of a command share.',
    attributes: {
      ...hostAttributes,
      host_id: {
        type: 'string',
        optional: true,
        computed: true,
        description: 'The id of the host.',
        validate: [isHostId],
      },
      name: { type: 'string', optional: true, computed: true, description: 'The exact name of the host.' },
    },
    rules: [exactlyOneOf('host_id', 'name')],
  }),
  read: (config, call) =>
    withFleet(call, async (fleet, { session }) => {
      const spec = hostSpecOf({ ...config, previously: null });
      const found = spec === null ? null : await session.findHost(spec, { signal: call.signal });
      if (found?.ok !== true)
        return {
          diagnostics: toDiagnostics(found?.problems ?? [], [config.name === null ? 'host_id' : 'name']),
        };
      return { state: { ...allFactsOf(found.value, fleet), host_id: found.value.id } };
    }),
});
