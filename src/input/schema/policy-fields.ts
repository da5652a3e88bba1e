import { protectedFrom } from '../../core/model/entry.ts';
import { changeKinds, unmanagedWords } from '../../core/model/policy.ts';
import type { Fields } from './field.ts';

// The keys of `policy:` and of the items of `groups:`.

export const limitFields = {
  delete: {
    type: 'limit',
    meaning: 'Deletions: a percentage of the fleet, or a number of hosts. Default: 10%.',
  },
  rename: {
    type: 'limit',
    meaning: 'Renames: a percentage of the fleet, or a number of hosts. Default: 100%.',
  },
  move: {
    type: 'limit',
    meaning: 'Moves to another group: a percentage of the fleet, or a number of hosts. Default: 100%.',
  },
  antivirus: {
    type: 'limit',
    meaning: 'Anti-virus installs: a percentage of the fleet, or a number of hosts. Default: 100%.',
  },
  missing: {
    type: 'limit',
    meaning:
      'Hosts that the file pins by id but that the list lacks: a percentage of the pinned hosts, or a number. Rampart refuses every plan above this limit. Default: 20%.',
  },
} as const satisfies Fields;

export const protectFields = {
  name: {
    type: 'text',
    noun: 'the name of a protection',
    meaning: 'The name of this protection in messages. Default: its condition.',
  },
  when: {
    type: 'condition',
    scope: 'rule',
    required: true,
    meaning:
      'The hosts to protect, as they are before the change: a CEL expression, such as host.group == "Domain Controllers".',
  },
  from: {
    type: 'words',
    words: protectedFrom,
    required: true,
    meaning: 'Changes that no plan may make to these hosts: a list of delete, rename and move.',
    ifEmpty: {
      message: 'the protection has an empty "from"',
      hint: 'list one of delete, rename and move, or remove the protection',
    },
  },
  message: { type: 'text', meaning: 'The reason, in one sentence.' },
} as const satisfies Fields;

export const changePolicyFields = {
  name: {
    type: 'text',
    required: true,
    noun: 'the name of a policy',
    meaning: 'The name of this policy in messages.',
  },
  when: {
    type: 'condition',
    scope: 'change',
    required: true,
    meaning:
      'The changes that the policy applies to: a CEL expression over host and change, such as change.kind == "delete" && host.online.',
  },
  message: { type: 'text', required: true, meaning: 'The reason, in one sentence.' },
} as const satisfies Fields;

export const windowFields = {
  name: {
    type: 'text',
    required: true,
    noun: 'the name of a policy',
    meaning: 'The name of this window in messages.',
  },
  only: {
    type: 'hours',
    required: true,
    meaning: 'Days, hours and a time zone, such as Mon-Fri 20:00-06:00 Europe/Berlin, or a list of these.',
  },
  kinds: {
    type: 'words',
    words: changeKinds,
    meaning:
      'The kinds of change that must wait for this window: a list of rename, move, antivirus and delete. Default: all.',
    ifEmpty: {
      message: '"kinds" is an empty list',
      hint: `list one of ${changeKinds.join(', ')}, or remove the key for all kinds`,
    },
  },
  message: { type: 'text', meaning: 'The reason, in one sentence.' },
} as const satisfies Fields;

export const freezeFields = {
  name: {
    type: 'text',
    noun: 'the name of a freeze',
    meaning: 'The name of this freeze in messages. Default: "freeze".',
  },
  from: {
    type: 'time',
    meaning: 'When the freeze begins: RFC 3339 with a time zone. Default: immediately.',
  },
  until: { type: 'time', meaning: 'When the freeze ends: RFC 3339 with a time zone. Default: never.' },
  message: { type: 'text', meaning: 'The reason, in one sentence.' },
} as const satisfies Fields;

export const policyFields = {
  limits: {
    type: 'section',
    fields: limitFields,
    meaning:
      'The maximum number of hosts that one plan may change. A plan that exceeds a limit is shown and refused.',
  },
  protect: {
    type: 'list',
    fields: protectFields,
    meaning: 'Hosts that no plan may delete, rename or move.',
  },
  deny: { type: 'list', fields: changePolicyFields, meaning: 'Changes that Rampart refuses.' },
  warn: { type: 'list', fields: changePolicyFields, meaning: 'Changes that Rampart warns about.' },
  windows: {
    type: 'list',
    fields: windowFields,
    meaning: 'When changes are allowed. Outside of these windows, a plan is shown and refused.',
  },
  freeze: {
    type: 'section or list',
    fields: freezeFields,
    meaning: 'Periods without changes: one freeze or a list.',
  },
} as const satisfies Fields;

export const groupLimitFields = {
  delete: {
    type: 'limit',
    meaning: 'Deletions in the group: a percentage of its hosts, or a number.',
  },
  rename: {
    type: 'limit',
    meaning: 'Renames in the group: a percentage of its hosts, or a number.',
  },
  move: {
    type: 'limit',
    meaning: 'Moves out of the group: a percentage of its hosts, or a number.',
  },
  antivirus: {
    type: 'limit',
    meaning: 'Anti-virus installs in the group: a percentage of its hosts, or a number.',
  },
} as const satisfies Fields;

export const groupPolicyFields = {
  group: {
    type: 'group',
    required: true,
    meaning: 'The group: its name, { id: 17 }, or null for the hosts in no group.',
  },
  unmanaged: {
    type: 'word',
    words: unmanagedWords,
    meaning:
      'How to treat unmanaged hosts of this group: ignore, report or forbid. Overrides the setting for the whole file.',
  },
  exclusive: {
    type: 'boolean',
    meaning:
      'Allow only hosts that an entry or a rule assigns to this group. Rampart warns about other hosts, or moves them to "othersTo".',
  },
  othersTo: {
    type: 'group',
    meaning: 'The group that receives all other hosts of an exclusive group, or null for no group.',
  },
  limits: {
    type: 'section',
    fields: groupLimitFields,
    meaning:
      'The maximum number of hosts of this group that one plan may change. --ack does not override these limits.',
  },
} as const satisfies Fields;
