/**
 * Every key of a desired-state file, with what an editor says about it. The reader, its suggestions and the
 * JSON Schema all go by these tables: to add a key, add it here, to `fleet-file.ts` and to its reader.
 */
export type Keys = Readonly<Record<string, string>>;

export const fileKeys = {
  version: 'The version of this format: 1.',
  account: 'Which account the file is for. Any other account is refused.',
  hosts: 'The hosts that are managed. A host that is not listed is left alone.',
  policy: 'What one plan may do.',
} as const satisfies Keys;

export const accountKeys = {
  companyId: 'The id of the company, as in its API settings.',
} as const satisfies Keys;

export const entryKeys = {
  id: 'The id of the host: an exact 64-bit integer, as "rampart hosts" shows it. It survives every rename.',
  name: 'What the host is to be called. Without an id, it also says which host is meant.',
  previously:
    'Names that the host had before. Without an id, a host with one of them is the one that is meant.',
  group: 'The group that the host is to be in: its name, { id: 17 }, or null for no group.',
  antivirus: "The vendor's anti-virus is to be on the host. An install can't be undone.",
  ensure: 'Is the host to be in the account (present, the default), or to be deleted (absent)?',
  deleteAfter:
    'Delete the absent host at this time or later: RFC 3339 with a zone, such as 2027-01-31T00:00:00Z.',
  protect:
    'What no plan may do to the host: a list of delete, rename and move. A plan that would is shown, and refused.',
} as const satisfies Keys;

export const groupKeys = {
  id: 'The id of the group, as "rampart groups" shows it.',
} as const satisfies Keys;

export const policyKeys = {
  limits: 'How many hosts one plan may touch. A plan that goes over a limit is shown, and refused.',
} as const satisfies Keys;

export const limitKeys = {
  delete: 'Deletions: a share of the fleet or a number of hosts; 10% when not set.',
  rename: 'Renames: a share of the fleet or a number of hosts; 100% when not set.',
  move: 'Moves to another group: a share of the fleet or a number of hosts; 100% when not set.',
  missing:
    'Hosts that the file pins by id and the account does not list: with more of them, deletions are refused. A share of the pinned hosts or a number; 20% when not set.',
} as const satisfies Keys;

/** Keys of the format that this version can not read yet. */
export const laterKeys: ReadonlySet<string> = new Set(['rules', 'unmanaged', 'protect', 'deny']);
