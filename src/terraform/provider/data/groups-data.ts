import { hostsOf } from '../../../core/model/observed.ts';
import { computedAttribute, defineSchema, nullableAttribute } from '../../protocol/schema/schema.ts';
import { kit, withFleet } from '../service.ts';

export const groupsData = kit.dataSource({
  schema: defineSchema({
    description:
      'The groups of the account, from the list that all resources and data sources of a command share. Create groups in the console. The entry for hosts in no group has the id `-1` and no name.',
    attributes: {
      groups: {
        nested: 'list',
        computed: true,
        nonNull: true,
        description: 'In the order that the service returns.',
        attributes: {
          id: computedAttribute('string', "The group's id."),
          name: nullableAttribute('string', 'Its name.'),
          size: computedAttribute('number', 'The number of hosts in the group.'),
        },
      },
      ids: computedAttribute({ map: 'string' }, 'Group ids by name, for names that only one group has.'),
    },
  }),
  read: (_config, call) =>
    withFleet(call, async (fleet) => {
      const { groups } = fleet;
      const sizes = Map.groupBy(hostsOf(fleet), ({ groupId }) => groupId);
      const byName = Map.groupBy(groups, ({ name }) => name);
      const ids = groups.flatMap(({ id, name }) =>
        name === null || byName.get(name)?.length !== 1 ? [] : [[name, id] as const],
      );
      return {
        state: {
          groups: groups.map(({ id, name }) => ({ id, name, size: sizes.get(id)?.length ?? 0 })),
          ids: Object.fromEntries(ids),
        },
      };
    }),
});
