import type { InventoryKind, InventoryRecord } from '../../../core/model/facts.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { leavesOf } from '../../../service/inventory/flatten.ts';
import { computedAttribute, defineSchema } from '../../protocol/schema/schema.ts';
import { durationMs, isDuration } from '../connection/duration.ts';
import { hostIdFaults, kit, toDiagnostics, withService } from '../service.ts';

const usualMaxAge = '24h';

/** Hardware or system inventory of hosts; they differ only in their fields. */
export function inventoryData(kind: InventoryKind) {
  return kit.dataSource({
    schema: defineSchema({
      description: `The ${kind} inventory of hosts, from reports of the service. The service creates about one report a minute, with 50 hosts in each. The provider keeps the results in its \`state_dir\` or in its shared state, as \`rampart hosts inventory pull\` does. Without either, every command fetches them again.`,
      attributes: {
        host_ids: { type: { set: 'string' }, required: true, description: 'The ids of the hosts.' },
        fields: {
          type: { set: 'string' },
          optional: true,
          description: `The fields, in the spelling of the service, such as \`${kind === 'hardware' ? 'ServiceTag' : 'OsType'}\`. Default: all.`,
        },
        max_age: {
          type: 'string',
          optional: true,
          description: `The maximum age of stored inventory. Default: \`${usualMaxAge}\`.`,
          validate: [isDuration],
        },
        values: computedAttribute(
          { map: { map: 'string' } },
          'A map by host id, then by the path of the value, such as `hardwareInfo.model` or `drives[0].capacity`. It has only hosts with inventory.',
        ),
        fetched_at: computedAttribute({ map: 'string' }, 'When the inventory was fetched, by host id.'),
      },
    }),
    validate: ({ host_ids }) => hostIdFaults(host_ids),
    read: (config, call) =>
      withService(call, async ({ inventory }) => {
        const found = await inventory().read({
          kind,
          hosts: config.host_ids as readonly HostId[],
          fields: config.fields,
          maxAgeMs: durationMs(config.max_age ?? usualMaxAge) as number,
          signal: call.signal,
        });
        if (!found.ok) return { diagnostics: toDiagnostics(found.problems, ['host_ids']) };
        const known = [...found.value].filter(([, { record }]) => record !== null);
        return {
          diagnostics: toDiagnostics(found.problems, ['host_ids']),
          state: {
            ...config,
            values: Object.fromEntries(known.map(([id, { record }]) => [id, valuesOf(record ?? {})])),
            fetched_at: Object.fromEntries(known.map(([id, { fetchedAt }]) => [id, fetchedAt])),
          },
        };
      }),
  });
}

function valuesOf(record: InventoryRecord): Readonly<Record<string, string>> {
  return Object.fromEntries(
    leavesOf(record).flatMap(({ path, value }) => (value === null ? [] : [[path, String(value)]])),
  );
}
