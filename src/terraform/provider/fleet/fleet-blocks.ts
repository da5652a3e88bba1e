import { successorWords } from '../../../core/model/identity.ts';
import type { Attributes } from '../../protocol/schema/attribute.ts';
import type { Block } from '../../protocol/schema/schema.ts';
import { lengthBetween, oneOf } from '../../protocol/schema/validator.ts';
import { isGroupId, isHostId } from '../host/schema.ts';

/*
 * A desired state as nested blocks, with the same keys that `src/input` reads from a file. This defines only the types.
 * The reader of files also checks the values and their combinations here.
 */

const named = [lengthBetween(1, 10_000)];

const groupArguments = {
  group: { type: 'string', optional: true, description: 'The name of the target group.', validate: named },
  group_id: {
    type: 'string',
    optional: true,
    description: 'The id of the group, instead of the name; `-1` for no group.',
    validate: [isGroupId],
  },
} as const satisfies Attributes;

const antivirus = {
  type: 'string',
  optional: true,
  description: "`installed`: install the vendor's anti-virus. It is never uninstalled.",
  validate: [oneOf('installed')],
} as const;

const message = { type: 'string', optional: true, description: 'The reason, in one sentence.' } as const;

const when = {
  type: 'string',
  required: true,
  description: 'A condition in CEL, such as `host.name.startsWith("BER-")`.',
} as const;

const limit = (of: string) =>
  ({ type: 'string', optional: true, description: `${of}: a share such as \`10%\`, or a number.` }) as const;

const hostBlock = {
  nesting: 'list',
  description: 'A host, and its intended name, group and anti-virus.',
  attributes: {
    id: {
      type: 'string',
      optional: true,
      description: 'The id of the host. A rename does not change it.',
      validate: [isHostId],
    },
    name: {
      type: 'string',
      optional: true,
      description: 'The intended name. Without an id, it also identifies the host.',
      validate: named,
    },
    key: {
      type: 'string',
      optional: true,
      description:
        'The key of the host, such as its serial number. It finds the host if its id is missing or not set. Needs an `identity` block.',
    },
    current: {
      type: 'string',
      optional: true,
      description: 'The current name. A host that has another name is not changed.',
    },
    previously: {
      type: { list: 'string' },
      optional: true,
      description: 'Earlier names of the host. Without an id, they also identify the host.',
    },
    ...groupArguments,
    antivirus,
    ensure: {
      type: 'string',
      optional: true,
      description: '`present`, or `absent` to delete the host.',
      validate: [oneOf('present', 'absent')],
    },
    delete_after: {
      type: 'string',
      optional: true,
      description: 'Delete the absent host at this time or later (RFC 3339).',
    },
    protect: {
      type: { set: 'string' },
      optional: true,
      description: 'Changes that no plan may make to the host: any of `delete`, `rename` and `move`.',
    },
    ignore: {
      type: { set: 'string' },
      optional: true,
      description: 'Attributes that may differ: any of `name`, `group` and `antivirus`.',
    },
  },
} as const satisfies Block;

const ruleBlock = {
  nesting: 'list',
  description:
    'A rule for a set of hosts. A `host` block overrides every rule. For each argument, the first matching rule that sets it wins.',
  attributes: {
    name: { type: 'string', required: true, description: 'The name of the rule in plans.' },
    when,
    ...groupArguments,
    rename: {
      type: 'string',
      optional: true,
      description:
        "The intended name of each host: text with CEL expressions. Write each as `$${…}`, because `${…}` is Terraform's own syntax.",
    },
    successor: {
      type: 'string',
      optional: true,
      description:
        'Rename only hosts with a certain key of the `identity` block. If no host has the name so far: `adopt` renames the host, `propose` warns and `ignore` does nothing.',
      validate: [oneOf(...successorWords)],
    },
    antivirus,
    ensure: {
      type: 'string',
      optional: true,
      description: '`absent` deletes the hosts. `present` protects them from later rules with `absent`.',
      validate: [oneOf('present', 'absent')],
    },
  },
} as const satisfies Block;

const unmanaged = {
  type: 'string',
  optional: true,
  description:
    'Hosts that no block claims: `ignore` (the default), `report`, or `forbid`, which refuses every plan.',
  validate: [oneOf('ignore', 'report', 'forbid')],
} as const;

const limits = {
  delete: limit('Deletions'),
  rename: limit('Renames'),
  move: limit('Moves'),
  antivirus: limit('Installs'),
} as const satisfies Attributes;

const groupBlock = {
  nesting: 'list',
  description: 'Settings for one group as a whole.',
  attributes: {
    name: { type: 'string', optional: true, description: "The group's name.", validate: named },
    id: {
      type: 'string',
      optional: true,
      description: 'The id of the group, instead of the name; `-1` for the hosts in no group.',
      validate: [isGroupId],
    },
    unmanaged,
    exclusive: {
      type: 'bool',
      optional: true,
      description: 'Remove hosts from the group that no block assigns to it.',
    },
    others_to: { type: 'string', optional: true, description: 'The group to move the removed hosts to.' },
    others_to_id: {
      type: 'string',
      optional: true,
      description: 'The id of the group, instead of the name; `-1` for no group.',
      validate: [isGroupId],
    },
  },
  blocks: {
    limits: {
      nesting: 'single',
      description: 'How many hosts of the group one plan may change. No approval overrides these limits.',
      attributes: limits,
    },
  },
} as const satisfies Block;

const ruledOut = {
  nesting: 'list',
  attributes: {
    name: { type: 'string', required: true, description: 'The name in messages.' },
    when,
    message: { type: 'string', required: true, description: 'The reason, in one sentence.' },
  },
} as const;

const policyBlock = {
  nesting: 'single',
  description: 'Limits and conditions for each plan.',
  blocks: {
    limits: {
      nesting: 'single',
      description: 'How many hosts one plan may change. Approve more with `acks`.',
      attributes: { ...limits, missing: limit('Hosts whose id is not in the account') },
    },
    protect: {
      nesting: 'list',
      description: 'Hosts that no plan deletes, renames or moves.',
      attributes: {
        name: { type: 'string', optional: true, description: 'The name in messages.' },
        when,
        from: {
          type: { set: 'string' },
          required: true,
          description: 'Any of `delete`, `rename` and `move`.',
        },
        message,
      },
    },
    deny: { ...ruledOut, description: 'Changes that a plan refuses.' },
    warn: { ...ruledOut, description: 'Changes that a plan warns about.' },
    window: {
      nesting: 'list',
      description: 'The hours in which an apply may make changes.',
      attributes: {
        name: { type: 'string', required: true, description: 'The name of these hours in messages.' },
        only: {
          type: { list: 'string' },
          required: true,
          description: 'Days, hours and a time zone, such as `Mon-Fri 20:00-06:00 Europe/Berlin`.',
        },
        kinds: {
          type: { set: 'string' },
          optional: true,
          description: 'The kinds of changes that wait for these hours. Default: all.',
        },
        message,
      },
    },
    freeze: {
      nesting: 'list',
      description: 'A period without changes.',
      attributes: {
        name: { type: 'string', optional: true, description: 'The name in messages.' },
        from: { type: 'string', optional: true, description: 'The start of the period (RFC 3339).' },
        until: { type: 'string', optional: true, description: 'The end of the period (RFC 3339).' },
        message,
      },
    },
  },
} as const satisfies Block;

const identityBlock = {
  nesting: 'single',
  description: 'How a key identifies hosts, so that a machine that was installed again is the same host.',
  attributes: {
    key: {
      type: 'string',
      required: true,
      description: 'The key of a host in CEL, such as `host.inventory.hardware.serviceTag`.',
    },
    successor: {
      type: 'string',
      optional: true,
      description:
        'If the host of a block is gone and exactly one other host has its key: `propose` it (the default), `adopt` or `ignore` it.',
      validate: [oneOf(...successorWords)],
    },
    max_age: {
      type: 'string',
      optional: true,
      description: 'The oldest age of the inventory that identifies a host. Default: `30d`.',
    },
  },
} as const satisfies Block;

export const desiredBlocks = {
  identity: identityBlock,
  host: hostBlock,
  rule: ruleBlock,
  group: groupBlock,
  policy: policyBlock,
} as const;

export { unmanaged as unmanagedArgument };
