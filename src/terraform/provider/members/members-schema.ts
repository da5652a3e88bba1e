import { exactlyOneOf } from '../../protocol/schema/config-rule.ts';
import { keepPrior, requiresReplace } from '../../protocol/schema/plan-modifier.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { oneOf } from '../../protocol/schema/validator.ts';
import { isGroupId } from '../host/schema.ts';

export const membersSchema = defineSchema({
  description:
    'Which hosts are in a group. The group itself is made in the console. A host’s group is to be managed in one place: by this resource, by `rampart_host` or by `rampart_fleet`.',
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
        '`additive` sees to it that these hosts are in the group, and leaves all others alone; a host that is taken off the list stays where it is. `authoritative` also takes every other host out of the group, to no group.',
      validate: [oneOf('additive', 'authoritative')],
    },
  },
  rules: [exactlyOneOf('group', 'group_id')],
});
