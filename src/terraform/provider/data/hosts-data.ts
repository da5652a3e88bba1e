import { computedAttribute, defineSchema } from '../../protocol/schema/schema.ts';
import { allFactsOf } from '../host/host-facts.ts';
import { kit, toDiagnostics, whereFaults, withService } from '../service.ts';
import { hostAttributes } from './host-attributes.ts';

export const hostsData = kit.dataSource({
  schema: defineSchema({
    description: 'The hosts of the account: all, or those that an expression selects.',
    attributes: {
      where: {
        type: 'string',
        optional: true,
        description:
          'A CEL expression that selects hosts, such as `host.group == "Berlin" && host.name.startsWith("LT-")`. The provider fetches only the lists that the expression reads.',
      },
      ids: computedAttribute(
        { list: 'string' },
        'The ids of the hosts, in the order that the service returns.',
      ),
      hosts: {
        nested: 'list',
        computed: true,
        nonNull: true,
        description: 'The same hosts, with their attributes.',
        attributes: hostAttributes,
      },
    },
  }),
  validate: ({ where }) => whereFaults(where),
  read: ({ where }, call) =>
    withService(call, async (service) => {
      const { readHostsWhere } = await import('./hosts-where.ts');
      const chosen = await readHostsWhere(service, where, call.signal);
      if (!chosen.ok) return { diagnostics: toDiagnostics(chosen.problems, where === null ? [] : ['where']) };
      const { observed, hosts } = chosen.value;
      return {
        diagnostics: toDiagnostics(chosen.problems),
        state: {
          where,
          ids: hosts.map(({ id }) => id),
          hosts: hosts.map((host) => allFactsOf(host, observed)),
        },
      };
    }),
});
