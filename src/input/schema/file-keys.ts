/**
 * Every key of a desired-state file, with what an editor says about it. The reader, its suggestions and the
 * JSON Schema all go by these tables: to add a key, add it here, to `fleet-file.ts` and to its reader.
 */
export type Keys = Readonly<Record<string, string>>;

export const fileKeys = {
  version: 'The version of this format: 1.',
  account: 'Which account the file is for. Any other account is refused.',
  hosts: 'The hosts that are managed. A host that is not listed is left alone.',
  hostsFrom: 'More hosts, from tables: a CSV file or a list of them, relative to this file.',
  rules:
    'What every host of a kind is to be. An entry beats every rule; of the rules, the first that matches and sets an attribute wins.',
  unmanaged:
    'Hosts that no entry and no rule claims: left alone (ignore, the default), told of (report), or a reason to refuse every plan (forbid).',
  groups: 'What is said of single groups as a whole.',
  policy: 'What one plan may do.',
  knownDrift: 'Differences that "rampart drift" tells apart, as someone has looked at them and lets them be.',
} as const satisfies Keys;

export const accountKeys = {
  companyId: 'The id of the company, as in its API settings.',
} as const satisfies Keys;

export const entryKeys = {
  id: 'The id of the host: an exact 64-bit integer, as "rampart hosts" shows it. It survives every rename.',
  name: 'What the host is to be called. Without an id, it also says which host is meant.',
  current: 'What the host is called now. A host that is called otherwise is not touched.',
  previously:
    'Names that the host had before. Without an id, a host with one of them is the one that is meant.',
  group: 'The group that the host is to be in: its name, { id: 17 }, or null for no group.',
  antivirus: "The vendor's anti-virus is to be on the host. An install can't be undone.",
  ensure: 'Is the host to be in the account (present, the default), or to be deleted (absent)?',
  deleteAfter:
    'Delete the absent host at this time or later: RFC 3339 with a zone, such as 2027-01-31T00:00:00Z.',
  protect:
    'What no plan may do to the host: a list of delete, rename and move. A plan that would is shown, and refused.',
  ignore:
    'What may differ from the file: a list of name, group and antivirus. Neither plans nor drift look at these.',
} as const satisfies Keys;

export const ruleKeys = {
  name: 'What plans call this rule.',
  when: 'Which hosts it is about: a CEL expression, such as host.name.startsWith("BER-").',
  group: 'The group that they are to be in: its name, { id: 17 }, or null for no group.',
  rename: 'What each of them is to be called: a text with ${…} in it, each a CEL expression.',
  antivirus: "The vendor's anti-virus is to be on them. An install can't be undone.",
  ensure: 'Are they to be deleted (absent), or kept from the rules below that would delete them (present)?',
} as const satisfies Keys;

export const knownDriftKeys = {
  host: 'The host: its id, or a name that it has or is to have.',
  attributes: 'What may differ: a list of name, group and antivirus.',
  reason: 'Why it is let be, in one sentence.',
  until: 'When it counts again: RFC 3339 with a zone; never when not set.',
} as const satisfies Keys;

export const groupKeys = {
  id: 'The id of the group, as "rampart groups" shows it.',
} as const satisfies Keys;

export const policyKeys = {
  limits: 'How many hosts one plan may touch. A plan that goes over a limit is shown, and refused.',
  protect: 'Hosts that no plan may delete, rename or move.',
  deny: 'Changes that are refused.',
  warn: 'Changes that a plan has a warning for.',
  windows: 'The hours in which changes are made. Outside of them a plan is shown, and refused.',
  freeze: 'Times in which nothing is changed: one, or a list.',
} as const satisfies Keys;

export const protectKeys = {
  name: 'What problems call this protection; its condition when not set.',
  when: 'Which hosts it is about, as they are before the change: a CEL expression, such as host.group == "Domain Controllers".',
  from: 'What no plan may do to them: a list of delete, rename and move.',
  message: 'Why, in one sentence.',
} as const satisfies Keys;

export const changePolicyKeys = {
  name: 'What problems call this policy.',
  when: 'Which changes it is about: a CEL expression on host and change, such as change.kind == "delete" && host.online.',
  message: 'Why, in one sentence.',
} as const satisfies Keys;

export const windowKeys = {
  name: 'What problems call these hours.',
  only: 'Days, hours and a time zone, such as Mon-Fri 20:00-06:00 Europe/Berlin, or a list of these.',
  kinds:
    'Which changes wait for these hours: a list of rename, move, antivirus and delete; all when not set.',
  message: 'Why, in one sentence.',
} as const satisfies Keys;

export const freezeKeys = {
  name: 'What problems call this freeze; "freeze" when not set.',
  from: 'When it begins: RFC 3339 with a zone; at once when not set.',
  until: 'When it is over: RFC 3339 with a zone; never when not set.',
  message: 'Why, in one sentence.',
} as const satisfies Keys;

export const groupPolicyKeys = {
  group: 'The group: its name, { id: 17 }, or null for the hosts that are in no group.',
  unmanaged:
    'Hosts of this group that no entry and no rule claims: ignore, report or forbid. It beats what the file says of all.',
  exclusive:
    'Only hosts that an entry or a rule wants in this group are to be in it: others are told of, or moved to "othersTo".',
  othersTo: 'Where an exclusive group sends all others: a group, or null for no group.',
  limits: 'How many hosts of this group one plan may touch. No --ack lifts these limits.',
} as const satisfies Keys;

export const groupLimitKeys = {
  delete: 'Deletions of hosts that are in the group: a share of these or a number.',
  rename: 'Renames of hosts that are in the group: a share of these or a number.',
  move: 'Moves of hosts out of the group: a share of these or a number.',
  antivirus: 'Installs of the anti-virus on hosts that are in the group: a share of these or a number.',
} as const satisfies Keys;

export const limitKeys = {
  delete: 'Deletions: a share of the fleet or a number of hosts; 10% when not set.',
  rename: 'Renames: a share of the fleet or a number of hosts; 100% when not set.',
  move: 'Moves to another group: a share of the fleet or a number of hosts; 100% when not set.',
  antivirus: 'Installs of the anti-virus: a share of the fleet or a number of hosts; 100% when not set.',
  missing:
    'Hosts that the file pins by id and the account does not list: with more of them, every plan is refused. A share of the pinned hosts or a number; 20% when not set.',
} as const satisfies Keys;

/** Where keys belong that are easily written one level too high or too low. */
export const homes: ReadonlyMap<string, string> = new Map([
  ...Object.keys(policyKeys).map((key) => [key, 'under "policy"'] as const),
  ...['exclusive', 'othersTo'].map((key) => [key, 'in an item of "groups"'] as const),
  ...['rules', 'unmanaged', 'groups'].map((key) => [key, 'at the top of the file'] as const),
]);
