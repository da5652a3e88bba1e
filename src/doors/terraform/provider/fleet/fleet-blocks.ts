import type { Attributes } from '../../protocol/schema/attribute.ts';
import type { Block } from '../../protocol/schema/schema.ts';
import { lengthBetween, oneOf } from '../../protocol/schema/validator.ts';
import { isGroupId, isHostId } from '../host/schema.ts';

/*
 * A desired state as nested blocks: what `src/input` reads from a file, key by key. What stands here says what is of
 * which type; what the values must be, and which of them go together, is for the reader that files have too.
 */

const named = [lengthBetween(1, 10_000)];

const groupArguments = {
  group: { type: 'string', optional: true, description: 'The name of the group to be in.', validate: named },
  group_id: {
    type: 'string',
    optional: true,
    description: 'Its id, instead of the name; `-1` for no group.',
    validate: [isGroupId],
  },
} as const satisfies Attributes;

const antivirus = {
  type: 'string',
  optional: true,
  description: '`installed`: have the vendor’s anti-virus. An install is never undone.',
  validate: [oneOf('installed')],
} as const;

const message = { type: 'string', optional: true, description: 'Why, in one sentence.' } as const;

const when = {
  type: 'string',
  required: true,
  description: 'A condition in CEL, such as `host.name.startsWith("BER-")`.',
} as const;

const limit = (of: string) =>
  ({ type: 'string', optional: true, description: `${of}: a share such as \`10%\`, or a number.` }) as const;

const hostBlock = {
  nesting: 'list',
  description: 'A host: which one it is, and what it is to be.',
  attributes: {
    id: {
      type: 'string',
      optional: true,
      description: 'The host’s id, which survives every rename.',
      validate: [isHostId],
    },
    name: {
      type: 'string',
      optional: true,
      description: 'What it is to be called. Without an id it also says which host is meant.',
      validate: named,
    },
    current: {
      type: 'string',
      optional: true,
      description: 'What it is called now; a host that is called otherwise is not touched.',
    },
    previously: {
      type: { list: 'string' },
      optional: true,
      description:
        'Names that it had before; without an id, a host with one of them is the one that is meant.',
    },
    ...groupArguments,
    antivirus,
    ensure: {
      type: 'string',
      optional: true,
      description: '`present`, or `absent` for a host that is to be deleted.',
      validate: [oneOf('present', 'absent')],
    },
    delete_after: {
      type: 'string',
      optional: true,
      description: 'Delete an absent host at this time or later (RFC 3339).',
    },
    protect: {
      type: { set: 'string' },
      optional: true,
      description: 'What no plan may do to it: some of `delete`, `rename` and `move`.',
    },
    ignore: {
      type: { set: 'string' },
      optional: true,
      description: 'What may be otherwise: some of `name`, `group` and `antivirus`.',
    },
  },
} as const satisfies Block;

const ruleBlock = {
  nesting: 'list',
  description:
    'What every host of a kind is to be. A `host` block beats every rule; of the rules, the first that matches and sets an argument wins.',
  attributes: {
    name: { type: 'string', required: true, description: 'What plans call the rule.' },
    when,
    ...groupArguments,
    rename: {
      type: 'string',
      optional: true,
      description:
        'What each of them is to be called: a text with CEL expressions in it, each written `$${…}`, as `${…}` is Terraform’s own.',
    },
    antivirus,
    ensure: {
      type: 'string',
      optional: true,
      description: '`absent` deletes them, `present` keeps them from later rules that would.',
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
  description: 'What is said of one group as a whole.',
  attributes: {
    name: { type: 'string', optional: true, description: 'The group’s name.', validate: named },
    id: {
      type: 'string',
      optional: true,
      description: 'Its id, instead of the name; `-1` for the hosts that are in no group.',
      validate: [isGroupId],
    },
    unmanaged,
    exclusive: {
      type: 'bool',
      optional: true,
      description: 'Only hosts that a block wants in the group are to be in it.',
    },
    others_to: { type: 'string', optional: true, description: 'The group that the others are moved to.' },
    others_to_id: {
      type: 'string',
      optional: true,
      description: 'Its id, instead of the name; `-1` for no group.',
      validate: [isGroupId],
    },
  },
  blocks: {
    limits: {
      nesting: 'single',
      description: 'How many hosts of the group one plan may touch; no consent lifts these.',
      attributes: limits,
    },
  },
} as const satisfies Block;

const ruledOut = {
  nesting: 'list',
  attributes: {
    name: { type: 'string', required: true, description: 'What problems call it.' },
    when,
    message: { type: 'string', required: true, description: 'Why, in one sentence.' },
  },
} as const;

const policyBlock = {
  nesting: 'single',
  description: 'What one plan may do.',
  blocks: {
    limits: {
      nesting: 'single',
      description: 'How many hosts one plan may touch. Consent to more is given by `acks`.',
      attributes: { ...limits, missing: limit('Hosts with an id that the account does not list') },
    },
    protect: {
      nesting: 'list',
      description: 'Hosts that are not deleted, renamed or moved.',
      attributes: {
        name: { type: 'string', optional: true, description: 'What problems call it.' },
        when,
        from: {
          type: { set: 'string' },
          required: true,
          description: 'Some of `delete`, `rename` and `move`.',
        },
        message,
      },
    },
    deny: { ...ruledOut, description: 'Changes that are refused.' },
    warn: { ...ruledOut, description: 'Changes that a plan has a warning for.' },
    window: {
      nesting: 'list',
      description: 'The hours in which changes are made.',
      attributes: {
        name: { type: 'string', required: true, description: 'What problems call these hours.' },
        only: {
          type: { list: 'string' },
          required: true,
          description: 'Days, hours and a time zone, such as `Mon-Fri 20:00-06:00 Europe/Berlin`.',
        },
        kinds: {
          type: { set: 'string' },
          optional: true,
          description: 'Which changes wait for them; all where it is not set.',
        },
        message,
      },
    },
    freeze: {
      nesting: 'list',
      description: 'A time in which nothing is changed.',
      attributes: {
        name: { type: 'string', optional: true, description: 'What problems call it.' },
        from: { type: 'string', optional: true, description: 'When it begins (RFC 3339).' },
        until: { type: 'string', optional: true, description: 'When it is over (RFC 3339).' },
        message,
      },
    },
  },
} as const satisfies Block;

export const desiredBlocks = {
  host: hostBlock,
  rule: ruleBlock,
  group: groupBlock,
  policy: policyBlock,
} as const;

export { unmanaged as unmanagedArgument };
