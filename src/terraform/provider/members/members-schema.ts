import { exactlyOneOf } from '../../protocol/schema/config-rule.ts';
import { keepPrior } from '../../protocol/schema/plan-modifier.ts';
import { computedAttribute, defineSchema, oneOf } from '../../protocol/schema/schema.ts';
import { isGroupId } from '../host/schema.ts';

export const membersSchema = defineSchema({
  description:
    'Manages which hosts are in a group. Create the group itself in the console. Manage the group of a host in one place only: with this resource, with `rampart_host` or with `rampart_fleet`. The plan shows each host that the apply moves. The apply moves no other hosts.',
  attributes: {
    id: { type: 'string', computed: true, nonNull: true, description: "The group's id.", plan: [keepPrior] },
    group: {
      type: 'string',
      optional: true,
      description:
        "The group's name. If the group is renamed in the service, the resource keeps it by its id, and the plan shows a warning with the new name. The name of another group replaces the resource.",
    },
    group_id: {
      type: 'string',
      optional: true,
      description: 'The id of the group. Use it if several groups have the same name.',
      validate: [isGroupId],
    },
    host_ids: {
      type: { set: 'string' },
      required: true,
      description: 'The ids of the hosts that should be in the group.',
    },
    mode: {
      type: 'string',
      optional: true,
      computed: true,
      default: 'additive',
      description:
        '`additive` moves these hosts into the group and leaves all others alone. A host that you remove from the list stays in the group. `authoritative` also removes every other host from the group. The removed hosts are then in no group. The plan lists them in `evicts`, shows a warning with their number, and fails if there are more than the limit `evict` of the provider allows.',
      validate: [oneOf('additive', 'authoritative')],
    },
    acks: {
      type: { map: 'number' },
      optional: true,
      description:
        'Approve the exact number of evictions over the limit: `{ evict = 28 }`. Any other number is refused. An approval is valid for one apply of one list of hosts.',
    },
    joins: computedAttribute(
      { map: 'string' },
      "The hosts that the plan moves into the group, with the group that each of them leaves, by the host's id. After an apply, the list stays until the next command, so that each plan shows only its own moves.",
    ),
    evicts: computedAttribute(
      { map: 'string' },
      "The hosts that the plan removes from the group, by the host's id, for as long as `joins`.",
    ),
  },
  rules: [exactlyOneOf('group', 'group_id')],
});
