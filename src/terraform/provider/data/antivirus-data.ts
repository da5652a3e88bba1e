import type { AntivirusFact, HostId } from '../../../core/model/observed.ts';
import { computedAttribute, defineSchema, nullableAttribute } from '../../protocol/schema/schema.ts';
import { hostIdFaults, kit, toDiagnostics, withService } from '../service.ts';

export const antivirusData = kit.dataSource({
  schema: defineSchema({
    description:
      'The anti-virus details of hosts, from one list that all resources and data sources of a command share.',
    attributes: {
      host_ids: {
        type: { set: 'string' },
        optional: true,
        description: 'The ids of the hosts. Default: all hosts in the list.',
      },
      hosts: {
        nested: 'map',
        computed: true,
        nonNull: true,
        description: 'A map by host id. It has only the hosts that are in the list.',
        attributes: {
          installed: computedAttribute('bool', "Whether the vendor's anti-virus is installed."),
          supported: computedAttribute('bool', 'Whether it can be installed.'),
          product: nullableAttribute('string', 'The name of the anti-virus product on the host.'),
          status: nullableAttribute(
            'string',
            '`ok`, `free-ok`, `partial-ok`, `warning`, `action-required` or `unknown`.',
          ),
          real_time_protection: nullableAttribute('bool', 'Whether real-time protection is on.'),
          definitions_up_to_date: nullableAttribute('bool', 'Whether its definitions are up to date.'),
          definition_version: nullableAttribute('string', 'The version of its definitions.'),
          last_full_scan: nullableAttribute('string', 'When the last full scan ran.'),
          threats: nullableAttribute('number', 'The number of threats found.'),
        },
      },
    },
  }),
  validate: ({ host_ids }) => hostIdFaults(host_ids),
  read: ({ host_ids }, call) =>
    withService(call, async ({ session }) => {
      const list = await session.antivirus({ signal: call.signal });
      if (!list.ok) return { diagnostics: toDiagnostics(list.problems) };
      const { facts } = list.value;
      const asked = (host_ids ?? [...facts.keys()]) as readonly HostId[];
      const known = asked.flatMap((id) => {
        const fact = facts.get(id);
        return fact === undefined ? [] : [[id, stateOf(fact)] as const];
      });
      return {
        diagnostics: toDiagnostics(list.problems),
        state: { host_ids, hosts: Object.fromEntries(known) },
      };
    }),
});

function stateOf({ installed, supported, details }: AntivirusFact) {
  return {
    installed,
    supported,
    product: details?.product ?? null,
    status: details?.status ?? null,
    real_time_protection: details?.realTimeProtection ?? null,
    definitions_up_to_date: details?.definitionsUpToDate ?? null,
    definition_version: details?.definitionVersion ?? null,
    last_full_scan: details?.lastFullScan ?? null,
    threats: details?.threats ?? null,
  };
}
