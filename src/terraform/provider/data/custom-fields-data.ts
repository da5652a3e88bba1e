import type { HostId } from '../../../core/model/observed.ts';
import { computedAttribute, defineSchema } from '../../protocol/schema/schema.ts';
import { hostIdFaults, kit, toDiagnostics, withService } from '../service.ts';

export const customFieldCategoriesData = kit.dataSource({
  schema: defineSchema({
    description: 'The categories of custom fields, with the values that hosts can have.',
    attributes: {
      categories: {
        nested: 'list',
        computed: true,
        nonNull: true,
        description: 'In the order that the service returns.',
        attributes: {
          id: computedAttribute('string', "The category's id."),
          name: computedAttribute('string', 'Its name.'),
          values: {
            nested: 'list',
            computed: true,
            nonNull: true,
            description: 'The values that a host can have in this category.',
            attributes: {
              id: computedAttribute('string', "The value's id."),
              name: computedAttribute('string', 'Its name.'),
            },
          },
        },
      },
    },
  }),
  read: (_config, call) =>
    withService(call, async ({ session }) => {
      const fields = await session.customFields({ signal: call.signal });
      if (!fields.ok) return { diagnostics: toDiagnostics(fields.problems) };
      return {
        diagnostics: toDiagnostics(fields.problems),
        state: {
          categories: fields.value.categories.map(({ id, name, values }) => ({
            id,
            name,
            values: values.map((value) => ({ id: value.id, name: value.name })),
          })),
        },
      };
    }),
});

export const customFieldValuesData = kit.dataSource({
  schema: defineSchema({
    description: 'The custom fields of hosts: for each host, the names of its values by category name.',
    attributes: {
      host_ids: {
        type: { set: 'string' },
        optional: true,
        description: 'The ids of the hosts. Default: all hosts with custom fields.',
      },
      values: computedAttribute({ map: { map: 'string' } }, 'A map by host id, then by category name.'),
    },
  }),
  validate: ({ host_ids }) => hostIdFaults(host_ids),
  read: ({ host_ids }, call) =>
    withService(call, async ({ session }) => {
      const fields = await session.customFields({ signal: call.signal });
      if (!fields.ok) return { diagnostics: toDiagnostics(fields.problems) };
      const { hostIds, customFieldsOf } = fields.value;
      const asked = (host_ids ?? hostIds) as readonly HostId[];
      return {
        diagnostics: toDiagnostics(fields.problems),
        state: {
          host_ids,
          values: Object.fromEntries(asked.map((id) => [id, customFieldsOf(id) ?? {}])),
        },
      };
    }),
});
