import { atMostOneOf } from '../../protocol/schema/config-rule.ts';
import { defineSchema, lengthBetween } from '../../protocol/schema/schema.ts';
import { isGroupId } from '../host/schema.ts';

/** The arguments of the `config` block in a `list "rampart_host"` block. */
export const hostsListSchema = defineSchema({
  description:
    'Finds the hosts of the account for `terraform query` (Terraform 1.14 or newer). All `list` blocks of a query share one read of the host list. A host must match every argument of the `config` block. Without arguments, all hosts are found.',
  attributes: {
    group: {
      type: 'string',
      optional: true,
      description: 'The name of the group that the hosts are in.',
      validate: [lengthBetween(1, 10_000)],
    },
    group_id: {
      type: 'string',
      optional: true,
      description: 'The id of the group, instead of its name; `-1` for the hosts in no group.',
      validate: [isGroupId],
    },
    name_prefix: {
      type: 'string',
      optional: true,
      description: 'The beginning of the names. Case-sensitive.',
    },
    online: {
      type: 'bool',
      optional: true,
      description: 'With `true`, only hosts that are online. With `false`, only hosts that are offline.',
    },
    where: {
      type: 'string',
      optional: true,
      description:
        'A CEL expression, as in the data source `rampart_hosts`. If it reads other lists than the host list, the provider fetches these too.',
    },
  },
  rules: [atMostOneOf('group', 'group_id')],
});
