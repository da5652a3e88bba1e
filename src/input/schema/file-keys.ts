import { entryFields } from './entry-fields.ts';

/**
 * Every key of a desired-state file, with the description that editors show. The reader, its suggestions and the
 * JSON Schema all use these tables. The keys of entries are in `entry-fields.ts`. To add another key, add it here, to
 * `fleet-file.ts` and to its reader.
 */
export type Keys = Readonly<Record<string, string>>;

export const fileKeys = {
  version: 'The version of this format: 1.',
  account: 'The account that the file is for. Rampart refuses any other account.',
  hosts: 'The hosts to manage. Rampart does not change hosts that are not listed.',
  hostsFrom: 'More hosts, from tables: a CSV file or a list of CSV files. Paths are relative to this file.',
  rules:
    'Rules for sets of hosts. An entry overrides all rules. Among the rules, the first that matches a host and sets an attribute wins.',
  unmanaged:
    'How to treat hosts that no entry and no rule claims: ignore (the default) leaves them alone, report warns about them, forbid refuses every plan.',
  groups: 'Settings for single groups.',
  policy: 'Limits and policies that every plan must satisfy.',
  knownDrift: 'Known and accepted differences, which "rampart drift" lists separately.',
} as const satisfies Keys;

export const accountKeys = {
  companyId: 'The company id from the API settings of the account.',
} as const satisfies Keys;

export const entryKeys = Object.fromEntries(
  Object.entries(entryFields).map(([key, { meaning }]) => [key, meaning]),
) as { readonly [Key in keyof typeof entryFields]: string };

export const ruleKeys = {
  name: 'The name of this rule in plans.',
  when: 'The hosts that the rule applies to: a CEL expression, such as host.name.startsWith("BER-").',
  group: 'The group that these hosts should be in: its name, { id: 17 }, or null for no group.',
  rename: 'The name that each of these hosts should have: text with CEL expressions in ${…}.',
  antivirus: "Install the vendor's anti-virus on these hosts. You can't undo an install.",
  ensure: 'Delete these hosts (absent), or keep them from being deleted by later rules (present).',
} as const satisfies Keys;

export const knownDriftKeys = {
  host: 'The host: its id, or its current or desired name.',
  attributes: 'The attributes that may differ: a list of name, group and antivirus.',
  reason: 'Why the difference is accepted, in one sentence.',
  until: 'When the difference counts as drift again: RFC 3339 with a time zone. Default: never.',
} as const satisfies Keys;

export const groupKeys = {
  id: 'The id of the group, as shown by "rampart groups".',
} as const satisfies Keys;

export const policyKeys = {
  limits:
    'The maximum number of hosts that one plan may change. A plan that exceeds a limit is shown and refused.',
  protect: 'Hosts that no plan may delete, rename or move.',
  deny: 'Changes that Rampart refuses.',
  warn: 'Changes that Rampart warns about.',
  windows: 'When changes are allowed. Outside of these windows, a plan is shown and refused.',
  freeze: 'Periods without changes: one freeze or a list.',
} as const satisfies Keys;

export const protectKeys = {
  name: 'The name of this protection in messages. Default: its condition.',
  when: 'The hosts to protect, as they are before the change: a CEL expression, such as host.group == "Domain Controllers".',
  from: 'Changes that no plan may make to these hosts: a list of delete, rename and move.',
  message: 'The reason, in one sentence.',
} as const satisfies Keys;

export const changePolicyKeys = {
  name: 'The name of this policy in messages.',
  when: 'The changes that the policy applies to: a CEL expression over host and change, such as change.kind == "delete" && host.online.',
  message: 'The reason, in one sentence.',
} as const satisfies Keys;

export const windowKeys = {
  name: 'The name of this window in messages.',
  only: 'Days, hours and a time zone, such as Mon-Fri 20:00-06:00 Europe/Berlin, or a list of these.',
  kinds:
    'The kinds of change that must wait for this window: a list of rename, move, antivirus and delete. Default: all.',
  message: 'The reason, in one sentence.',
} as const satisfies Keys;

export const freezeKeys = {
  name: 'The name of this freeze in messages. Default: "freeze".',
  from: 'When the freeze begins: RFC 3339 with a time zone. Default: immediately.',
  until: 'When the freeze ends: RFC 3339 with a time zone. Default: never.',
  message: 'The reason, in one sentence.',
} as const satisfies Keys;

export const groupPolicyKeys = {
  group: 'The group: its name, { id: 17 }, or null for the hosts in no group.',
  unmanaged:
    'How to treat unmanaged hosts of this group: ignore, report or forbid. Overrides the setting for the whole file.',
  exclusive:
    'Allow only hosts that an entry or a rule assigns to this group. Rampart warns about other hosts, or moves them to "othersTo".',
  othersTo: 'The group that receives all other hosts of an exclusive group, or null for no group.',
  limits:
    'The maximum number of hosts of this group that one plan may change. --ack does not override these limits.',
} as const satisfies Keys;

export const groupLimitKeys = {
  delete: 'Deletions of hosts in the group: a percentage of these hosts, or a number.',
  rename: 'Renames of hosts in the group: a percentage of these hosts, or a number.',
  move: 'Moves of hosts out of the group: a percentage of these hosts, or a number.',
  antivirus: 'Anti-virus installs on hosts in the group: a percentage of these hosts, or a number.',
} as const satisfies Keys;

export const limitKeys = {
  delete: 'Deletions: a percentage of the fleet, or a number of hosts. Default: 10%.',
  rename: 'Renames: a percentage of the fleet, or a number of hosts. Default: 100%.',
  move: 'Moves to another group: a percentage of the fleet, or a number of hosts. Default: 100%.',
  antivirus: 'Anti-virus installs: a percentage of the fleet, or a number of hosts. Default: 100%.',
  missing:
    'Hosts that the file pins by id but that the list lacks: a percentage of the pinned hosts, or a number. Rampart refuses every plan above this limit. Default: 20%.',
} as const satisfies Keys;

/** The right level for keys that people often write one level too high or too low. */
export const homes: ReadonlyMap<string, string> = new Map([
  ...Object.keys(policyKeys).map((key) => [key, 'under "policy"'] as const),
  ...['exclusive', 'othersTo'].map((key) => [key, 'in an item of "groups"'] as const),
  ...['rules', 'unmanaged', 'groups'].map((key) => [key, 'at the top of the file'] as const),
]);
