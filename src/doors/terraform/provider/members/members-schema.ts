import { exactlyOneOf } from '../../protocol/schema/config-rule.ts';
import { keepPrior, requiresReplace } from '../../protocol/schema/plan-modifier.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { oneOf } from '../../protocol/schema/validator.ts';
import { isGroupId } from '../host/schema.ts';

const host = {
  host_id: { type: 'string', computed: true, nonNull: true, description: 'The host.' },
  name: { type: 'string', computed: true, description: 'Its name.' },
} as const;

export const membersSchema = defineSchema({
  description:
    'Which hosts are in a group. The group itself is made in the console. A host’s group is to be managed in one place: by this resource, by `rampart_host` or by `rampart_fleet`. A plan shows each host that is moved, and an apply moves these hosts and no others.',
  attributes: {
    id: { type: 'string', computed: true, nonNull: true, description: 'The group’s id.', plan: [keepPrior] },
    group: {
      type: 'string',
      optional: true,
      description: 'The group’s name.',
      plan: [requiresReplace],
    },
    group_id: {
      type: 'string',
      optional: true,
      description: 'The group’s id, where its name is not its own.',
      validate: [isGroupId],
      plan: [requiresReplace],
    },
    host_ids: { type: { set: 'string' }, required: true, description: 'The hosts that are to be in it.' },
    mode: {
      type: 'string',
      optional: true,
      computed: true,
      default: 'additive',
      description:
        '`additive` sees to it that these hosts are in the group, and leaves all others alone; a host that is taken off the list stays where it is. `authoritative` also takes every other host out of the group, to no group: the plan lists them in `evicts`, warns with their number, and refuses more than the limit `evict` of the provider.',
      validate: [oneOf('additive', 'authoritative')],
    },
    acks: {
      type: { map: 'number' },
      optional: true,
      description:
        'Approve evictions above the limit by their exact number: `{ evict = 28 }`. Any other number is refused. An approval is for one apply of one list of hosts.',
    },
    joins: {
      nested: 'list',
      computed: true,
      nonNull: true,
      description: 'The hosts that the latest plan with changes moves into the group.',
      attributes: {
        ...host,
        from: { type: 'string', computed: true, description: 'The group that it leaves; null for none.' },
      },
    },
    evicts: {
      nested: 'list',
      computed: true,
      nonNull: true,
      description: 'The hosts that the latest plan with changes takes out of the group, to no group.',
      attributes: host,
    },
  },
  rules: [exactlyOneOf('group', 'group_id')],
});
