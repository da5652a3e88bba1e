import { toGroupId } from '../../../../core/model/group.ts';
import { toHostId } from '../../../../core/model/host-id.ts';
import { hasLineBreak } from '../../../../core/model/host-name.ts';
import { atLeastOneOf, atMostOneOf } from '../../protocol/schema/config-rule.ts';
import { keepPrior, requiresReplaceIf } from '../../protocol/schema/plan-modifier.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { lengthBetween, oneOf, validator } from '../../protocol/schema/validator.ts';
import { isDuration } from '../connection/duration.ts';

export const isHostId = validator<string>(
  'a host’s id, a 64-bit integer in digits',
  (text) => toHostId(text) !== undefined,
);
export const isGroupId = validator<string>(
  'a group’s id in digits, or `-1` for no group',
  (text) => toGroupId(text) !== undefined,
);

const oneLine = validator<string>('one line', (name) => !hasLineBreak(name));

export const hostSchema = defineSchema({
  description:
    'A host that is in the account already, taken over by its id or by its name: hosts enrol themselves, so there is nothing to create. Manages its name, its group and the vendor’s anti-virus; what is not set is left as it is, and shown. Hosts that trade names in one apply are put in order by the provider.',
  attributes: {
    id: {
      type: 'string',
      computed: true,
      nonNull: true,
      description: 'The host’s id.',
      plan: [keepPrior],
    },
    host_id: {
      type: 'string',
      optional: true,
      computed: true,
      nonNull: true,
      description:
        'The id of the host to take over. Where it is not set, the host is found by `name` and `previously`.',
      validate: [isHostId],
      plan: [
        keepPrior,
        requiresReplaceIf<string>('another id is another host', (prior, planned) => prior !== planned),
      ],
    },
    name: {
      type: 'string',
      optional: true,
      computed: true,
      description: 'What the host is to be called.',
      validate: [lengthBetween(1, 10_000), oneLine],
      plan: [keepPrior],
    },
    previously: {
      type: { list: 'string' },
      optional: true,
      description:
        'What the host may have been called before. Only looked at where no host has the name, and only when the host is taken over.',
    },
    group: {
      type: 'string',
      optional: true,
      computed: true,
      description: 'The name of the group that the host is to be in; null for a host that is in none.',
      validate: [lengthBetween(1, 10_000)],
      plan: [keepPrior],
    },
    group_id: {
      type: 'string',
      optional: true,
      description:
        'The id of the group that the host is to be in, instead of its name; `-1` takes the host out of its group.',
      validate: [isGroupId],
    },
    antivirus: {
      type: 'string',
      optional: true,
      description: 'Have the vendor’s anti-virus installed. An install is never undone.',
      validate: [oneOf('installed')],
    },
    on_destroy: {
      type: 'string',
      optional: true,
      computed: true,
      default: 'forget',
      description:
        'What to do when the resource is destroyed: `forget` leaves the host as it is, `delete` removes it from the account, which can’t be undone, and `prevent` refuses to plan it. It has to be applied before the destroy that it is meant for. Deletions count against `limits` of the provider, and each is a warning in the plan.',
      validate: [oneOf('forget', 'delete', 'prevent')],
    },
    wait_for_enrolment: {
      type: 'string',
      optional: true,
      description:
        'Wait so long for a host that is not in the account yet, such as `15m`; the lists allow about one look a minute. Where it is not set, a missing host is an error in the plan.',
      validate: [isDuration],
    },
    adopted_name: {
      type: 'string',
      computed: true,
      description:
        'The name that the host had when it was taken over, which the plan shows beside the new one; null after an import.',
      plan: [keepPrior],
    },
    adopted_group: {
      type: 'string',
      computed: true,
      description:
        'The name of the group that the host was in when it was taken over; null for none, and after an import.',
      plan: [keepPrior],
    },
    online: {
      type: 'bool',
      computed: true,
      nonNull: true,
      description: 'Whether the host was online when the fleet was last read.',
      plan: [keepPrior],
    },
    host_name: {
      type: 'string',
      computed: true,
      description: 'What the computer calls itself; null where the service does not tell.',
      plan: [keepPrior],
    },
    state_changed_at: {
      type: 'string',
      computed: true,
      description: 'When the host last came online or went offline, as the service writes it.',
      plan: [keepPrior],
    },
    status: {
      type: 'string',
      computed: true,
      nonNull: true,
      description:
        '`settled`; `parked` while the host has a temporary name, before its next rename; `installing` while no read shows an anti-virus install that the service accepted; `in-doubt` while no read shows an install that may have been requested.',
    },
  },
  rules: [atLeastOneOf('host_id', 'name'), atMostOneOf('group', 'group_id')],
});
