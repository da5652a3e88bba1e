import { successorWords } from '../../core/model/desired.ts';
import { ignoredAttributes } from '../../core/model/entry.ts';
import { unmanagedWords } from '../../core/model/policy.ts';
import { entryFields } from './entry-fields.ts';
import type { Fields } from './field.ts';
import { groupPolicyFields, policyFields } from './policy-fields.ts';
import { tableFields } from './table-fields.ts';

// The keys of a desired-state file, except those of entries, policies and groups.

export const accountFields = {
  companyId: {
    type: 'id',
    required: true,
    noun: 'the company ID',
    meaning: 'The company ID from the API settings of the account.',
  },
} as const satisfies Fields;

export const groupFields = {
  id: {
    type: 'id',
    required: true,
    noun: 'the id of a group',
    meaning: 'The id of the group, as shown by "rampart hosts groups".',
  },
} as const satisfies Fields;

export const identityFields = {
  key: {
    type: 'expression',
    required: true,
    meaning:
      'The key of a host: a CEL expression, such as host.inventory.hardware.serviceTag. Letter case does not matter.',
  },
  successor: {
    type: 'word',
    words: successorWords,
    meaning:
      'What to do if the host of an entry is gone and exactly one other host has its key: propose (the default), adopt or ignore it.',
  },
  maxAge: {
    type: 'duration',
    meaning: 'The oldest age of the inventory that identifies a host. Default: 30d.',
  },
} as const satisfies Fields;

export const stageFields = {
  after: {
    type: 'duration',
    required: true,
    meaning: 'How long the host must have been offline, such as 90d.',
  },
  group: {
    type: 'group',
    meaning: 'The group for these hosts: its name, { id: 17 }, or null for no group.',
  },
  ensure: {
    type: 'word',
    words: ['absent'],
    meaning: 'Delete these hosts.',
  },
} as const satisfies Fields;

export const ruleFields = {
  name: {
    type: 'text',
    required: true,
    noun: 'the name of a rule',
    meaning: 'The name of this rule in plans.',
    ifMissing: 'add a name: plans use it to report which rule requested a change',
  },
  when: {
    type: 'condition',
    scope: 'rule',
    required: true,
    meaning: 'The hosts that the rule applies to: a CEL expression, such as host.name.startsWith("BER-").',
    ifMissing: 'add an expression that selects hosts; for all hosts, write when: "true"',
  },
  group: {
    type: 'group',
    meaning: 'The group that these hosts should be in: its name, { id: 17 }, or null for no group.',
  },
  rename: {
    type: 'template',
    meaning: 'The name that each of these hosts should have: text with CEL expressions in ${…}.',
  },
  successor: {
    type: 'word',
    words: successorWords,
    meaning:
      'Rename only hosts with a certain key of "identity". If no host has the name so far: adopt renames the host, propose names it only, ignore does neither. Default: all hosts are renamed.',
  },
  antivirus: {
    type: 'word',
    words: ['installed'],
    meaning: "Install the vendor's anti-virus on these hosts. You can't undo an install.",
  },
  ensure: {
    type: 'word',
    words: ['present', 'absent'],
    meaning: 'Delete these hosts (absent), or keep them from being deleted by later rules (present).',
  },
  stages: {
    type: 'list',
    fields: stageFields,
    meaning:
      'What to do with these hosts after they have been offline for some time, the shortest time first.',
  },
} as const satisfies Fields;

export const knownDriftFields = {
  host: {
    type: 'host',
    required: true,
    meaning: 'The host: its id, or its current or desired name.',
  },
  attributes: {
    type: 'words',
    words: ignoredAttributes,
    required: true,
    meaning: 'The attributes that may differ: a list of name, group and antivirus.',
  },
  reason: {
    type: 'text',
    required: true,
    noun: 'the reason',
    meaning: 'Why the difference is accepted, in one sentence.',
  },
  until: {
    type: 'time',
    meaning: 'When the difference counts as drift again: RFC 3339 with a time zone. Default: never.',
  },
} as const satisfies Fields;

export const fileFields = {
  version: { type: 'version', required: true, meaning: 'The version of this format: 1.' },
  account: {
    type: 'section',
    fields: accountFields,
    meaning: 'The account that the file is for. Rampart refuses any other account.',
  },
  hosts: {
    type: 'list',
    fields: entryFields,
    meaning: 'The hosts to manage. Rampart does not change hosts that are not listed.',
  },
  hostsFrom: {
    type: 'tables',
    meaning: 'More hosts, from tables: a CSV file or a list of CSV files. Paths are relative to this file.',
  },
  tables: {
    type: 'list',
    fields: tableFields,
    meaning:
      'Tables about hosts, such as an asset register. Rules and policies of all files read their cells by the name of the table.',
  },
  identity: {
    type: 'section',
    fields: identityFields,
    meaning: 'How entries with a "key" find their hosts, for example after a machine was installed again.',
  },
  rules: {
    type: 'list',
    fields: ruleFields,
    meaning:
      'Rules for sets of hosts. An entry overrides all rules. Among the rules, the first that matches a host and sets an attribute wins.',
  },
  unmanaged: {
    type: 'word',
    words: unmanagedWords,
    meaning:
      'How to treat hosts that no entry and no rule claims: ignore (the default), report as a warning, or forbid every plan.',
  },
  groups: { type: 'list', fields: groupPolicyFields, meaning: 'Settings for individual groups.' },
  policy: {
    type: 'section',
    fields: policyFields,
    meaning: 'Limits and policies that every plan must satisfy.',
  },
  knownDrift: {
    type: 'list',
    fields: knownDriftFields,
    meaning: 'Known and accepted differences, which "rampart drift" lists separately.',
  },
} as const satisfies Fields;

/** The right level for keys that people often write one level too high or too low. */
export const rightLevels: ReadonlyMap<string, string> = new Map([
  ...Object.keys(policyFields).map((key) => [key, 'under "policy"'] as const),
  ...['exclusive', 'othersTo'].map((key) => [key, 'in an item of "groups"'] as const),
  ...['rules', 'unmanaged', 'groups', 'tables', 'identity'].map(
    (key) => [key, 'at the top of the file'] as const,
  ),
]);
