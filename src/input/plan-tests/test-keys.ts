import type { Keys } from '../schema/file-keys.ts';

/** What stands at the top of a test file holds for every case that does not say otherwise. */
export const testFileKeys = {
  observed: 'The fleet: inline as a seed (groups, hosts), or the path of a seed or a snapshot.',
  desired: 'The desired state: inline, or the path of a file or folder, or a list of paths.',
  now: 'The time of the plan: RFC 3339 with a zone; the current time when not set.',
  options: 'What "rampart plan" would be given as flags.',
  cases: 'What is tried: a list.',
} as const satisfies Keys;

export const caseKeys = {
  name: 'What the case shows, in a sentence.',
  observed: testFileKeys.observed,
  desired: testFileKeys.desired,
  now: testFileKeys.now,
  options: testFileKeys.options,
  expect: 'What the plan must be like.',
} as const satisfies Keys;

export const optionKeys = {
  ack: 'Consent beyond limits, such as { delete: 28 }.',
  strict: 'An entry that matches no host is an error.',
  deleteFirst: 'Delete before renaming.',
  skipBlocked: 'Leave out renames that another host’s name blocks.',
} as const satisfies Keys;

export const ackKeys = {
  delete: 'So many deletions.',
  rename: 'So many renames.',
  move: 'So many moves.',
  antivirus: 'So many installs of the anti-virus.',
} as const satisfies Keys;

export const expectKeys = {
  changes: 'These changes and no others, in any order: a list.',
  includes: 'These changes, among others: a list.',
  never: 'Changes that must not be there: a list.',
  refused:
    'What the plan is refused for: names of policies and codes of problems, all of them; [] for nothing.',
  warnings: 'What the plan warns of: names of policies and codes of problems, all of them; [] for nothing.',
  summary: 'Counts of hosts, such as { rename: 3, delete: 0 }.',
  exit: 'What "rampart plan" would end with, such as 6.',
} as const satisfies Keys;

export const changeKeys = {
  host: 'The host: its name before the plan, or its id.',
  rename: 'The name that it is to get; true for any.',
  move: 'The group that it is to be moved to: a name, { id: 17 }, or null for no group; true for any.',
  antivirus: 'true: it is to get the anti-virus.',
  delete: 'true: it is to be deleted.',
} as const satisfies Keys;

export const summaryKeys = {
  rename: 'Hosts that are renamed.',
  temporaryRename: 'Hosts that are renamed for a while on the way.',
  move: 'Hosts that are moved.',
  antivirus: 'Hosts that get the anti-virus.',
  delete: 'Hosts that are deleted.',
  unchanged: 'Managed hosts that are as they are to be.',
  awaitingEnrolment: 'Entries without a host.',
  unmanaged: 'Hosts that no entry and no rule claims.',
} as const satisfies Keys;
