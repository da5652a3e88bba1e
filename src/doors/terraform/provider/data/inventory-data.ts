import type { InventoryKind, InventoryRecord } from '../../../../core/model/facts.ts';
import type { HostId } from '../../../../core/model/host-id.ts';
import { leavesOf } from '../../../../service/inventory/flatten.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { durationMs, isDuration } from '../connection/duration.ts';
import { hostIdFaults } from '../host-ids.ts';
import { kit, withService } from '../service.ts';
import { toDiagnostics } from '../to-diagnostics.ts';

const usualMaxAge = '24h';

/** Hardware or system inventory of hosts; they differ in nothing but their fields. */
export function inventoryData(kind: InventoryKind) {
  return kit.dataSource({
    schema: defineSchema({
      description: `The ${kind} inventory of hosts, from the service’s reports. It makes about one report a minute and shows 50 hosts in each, so what has come is kept in the provider’s \`state_dir\`, where \`rampart inventory pull\` keeps it too; without one it is fetched anew by every command.`,
      attributes: {
        host_ids: { type: { set: 'string' }, required: true, description: 'Which hosts.' },
        fields: {
          type: { set: 'string' },
          optional: true,
          description: `Which fields, in the service’s spelling, such as \`${kind === 'hardware' ? 'ServiceTag' : 'OsType'}\`; all where it is not set.`,
        },
        max_age: {
          type: 'string',
          optional: true,
          description: `How old what is known already may be; \`${usualMaxAge}\` where it is not set.`,
          validate: [isDuration],
        },
        values: {
          type: { map: { map: 'string' } },
          computed: true,
          nonNull: true,
          description:
            'By host id, and in each by the path of the value, such as `hardwareInfo.model` or `drives[0].capacity`. A host without inventory is left out.',
        },
        fetched_at: {
          type: { map: 'string' },
          computed: true,
          nonNull: true,
          description: 'When it was fetched, by host id.',
        },
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
