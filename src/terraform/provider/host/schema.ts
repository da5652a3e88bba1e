import { hasLineBreak } from '../../../core/model/host-name.ts';
import { toGroupId, toHostId } from '../../../core/model/observed.ts';
import { readTemporaryName } from '../../../core/model/temporary-name.ts';
import { atLeastOneOf, atMostOneOf } from '../../protocol/schema/config-rule.ts';
import { keepPrior, requiresReplaceIf } from '../../protocol/schema/plan-modifier.ts';
import {
  computedAttribute,
  defineSchema,
  lengthBetween,
  oneOf,
  validator,
} from '../../protocol/schema/schema.ts';
import { isDuration } from '../connection/duration.ts';

export const isHostId = validator<string>(
  'a host id: a 64-bit integer in digits',
  (text) => toHostId(text) !== undefined,
);
export const isGroupId = validator<string>(
  'a group id in digits, or `-1` for no group',
  (text) => toGroupId(text) !== undefined,
);

const oneLine = validator<string>('one line', (name) => !hasLineBreak(name));
const notBlank = validator<string>('more than blanks', (name) => !/^\s+$/.test(name));
const notReserved = validator<string>(
  'a name without "~rampart": Rampart reserves names such as "WEB ~rampart~3f9a1c" for temporary renames',
  (name) => readTemporaryName(name) === undefined,
);

/** The host of a remote session. */
export const connectedHost = {
  type: 'string',
  required: true,
  description: 'The id of the host to connect to. The host must be online.',
  validate: [isHostId],
} as const;

export const hostSchema = defineSchema({
  description:
    "Manages the name, the group and the vendor's anti-virus of one host. Hosts enroll themselves, so the resource creates nothing: it adopts a host of the account by its id or its name. Attributes that you do not set stay as they are, and the state shows them. If hosts swap names in one apply, the provider orders the renames.",
  attributes: {
    id: {
      type: 'string',
      computed: true,
      nonNull: true,
      description: "The host's id.",
      plan: [keepPrior],
    },
    host_id: {
      type: 'string',
      optional: true,
      computed: true,
      nonNull: true,
      description:
        'The id of the host to adopt. If it is not set, `name` and `previously` identify the host.',
      validate: [isHostId],
      plan: [
        keepPrior,
        requiresReplaceIf<string>(
          'another id identifies another host',
          (prior, planned) => prior !== planned,
        ),
      ],
    },
    name: {
      type: 'string',
      optional: true,
      computed: true,
      description: 'The intended name of the host.',
      validate: [lengthBetween(1, 10_000), notBlank, oneLine, notReserved],
      plan: [keepPrior],
    },
    previously: {
      type: { list: 'string' },
      optional: true,
      description:
        'Earlier names of the host. Used only if no host has the name, and only while the host is adopted.',
    },
    group: {
      type: 'string',
      optional: true,
      computed: true,
      description: 'The name of the intended group; null for a host in no group.',
      validate: [lengthBetween(1, 10_000)],
      plan: [keepPrior],
    },
    group_id: {
      type: 'string',
      optional: true,
      description: 'The id of the intended group, instead of its name; `-1` for no group.',
      validate: [isGroupId],
    },
    antivirus: {
      type: 'string',
      optional: true,
      description: "Install the vendor's anti-virus. It is never uninstalled.",
      validate: [oneOf('installed')],
    },
    on_destroy: {
      type: 'string',
      optional: true,
      computed: true,
      nonNull: true,
      default: 'forget',
      description:
        "What happens when the resource is destroyed: `forget` leaves the host as it is, `delete` deletes it from the account, which can't be undone, and `prevent` makes the plan fail. Apply a new value before you destroy the resource. Deletions count against `limits` of the provider, and the plan shows a warning for each.",
      validate: [oneOf('forget', 'delete', 'prevent')],
    },
    wait_for_enrollment: {
      type: 'string',
      optional: true,
      description:
        'How long to wait for a host that is not in the account yet, such as `15m`. The service allows about one list a minute. If it is not set and no host has the `host_id`, the plan shows a warning and the apply of this resource fails. If no host has the `name`, the plan fails.',
      validate: [isDuration],
    },
    adopted_name: {
      type: 'string',
      computed: true,
      description:
        'The name of the host when it was adopted. The plan shows it together with the new name. Null after an import.',
      plan: [keepPrior],
    },
    adopted_group: {
      type: 'string',
      computed: true,
      description:
        'The name of the group of the host when it was adopted; null for no group, and after an import.',
      plan: [keepPrior],
    },
    online: {
      type: 'bool',
      computed: true,
      nonNull: true,
      description:
        'Whether the host was online when the resource last changed. For the present value, read the data source `rampart_host`.',
      plan: [keepPrior],
    },
    host_name: {
      type: 'string',
      computed: true,
      description: 'The computer name; null if the service does not report one.',
      plan: [keepPrior],
    },
    status: computedAttribute(
      'string',
      '`settled`; `unverified` until the next refresh if no list had shown the host yet when the resource was created; `temporary-name` while the host has a temporary name, before its next rename; `installing` while no read shows an anti-virus install that the service accepted; `in-doubt` while no read shows an install that may have been requested.',
    ),
  },
  rules: [atLeastOneOf('host_id', 'name'), atMostOneOf('group', 'group_id')],
});
