/** Each key with its description. */
export type KeyDescriptions = Readonly<Record<string, string>>;

/** A key at the top of a test file applies to every case that does not set the key itself. */
export const testFileKeys = {
  observed: 'The fleet: inline as a seed (groups, hosts), or the path of a seed or a snapshot.',
  desired: 'The desired state: inline, or the path of a file or folder, or a list of paths.',
  now: 'The time of the plan: RFC 3339 with a time zone. Default: the current time.',
  account: 'The account that expressions read: { name: berlin, labels: { region: eu } }.',
  options: 'The flags of "rampart plan".',
  cases: 'The list of test cases.',
} as const satisfies KeyDescriptions;

export const caseKeys = {
  name: 'What the case shows, in one sentence.',
  observed: testFileKeys.observed,
  desired: testFileKeys.desired,
  now: testFileKeys.now,
  account: testFileKeys.account,
  options: testFileKeys.options,
  expect: 'The expected properties of the plan.',
} as const satisfies KeyDescriptions;

export const accountKeys = {
  name: 'The value of account.name.',
  labels: 'The labels of the account, such as { region: eu }.',
} as const satisfies KeyDescriptions;

export const optionKeys = {
  ack: 'Approvals of changes over a limit, such as { delete: 28 }.',
  strict: 'Treat an entry that matches no host as an error.',
  deleteFirst: 'Delete before renaming.',
  skipBlocked: 'Leave out renames that are blocked by a name conflict.',
} as const satisfies KeyDescriptions;

export const ackKeys = {
  delete: 'The approved number of deletions.',
  rename: 'The approved number of renames.',
  move: 'The approved number of moves.',
  antivirus: 'The approved number of anti-virus installs.',
} as const satisfies KeyDescriptions;

export const expectKeys = {
  changes: 'Exactly these changes, in any order: a list.',
  includes: 'Changes that the plan must contain: a list.',
  never: 'Changes that the plan must not contain: a list.',
  refused: 'All reasons why the plan is refused: names of policies and codes of problems; [] for none.',
  warnings: 'All warnings of the plan: names of policies and codes of problems; [] for none.',
  summary: 'Numbers of hosts, such as { rename: 3, delete: 0 }.',
  exit: 'The exit code of "rampart plan", such as 6.',
} as const satisfies KeyDescriptions;

export const changeKeys = {
  host: 'The host: its name before the plan, or its id.',
  rename: 'The new name of the host; true for any name.',
  move: 'The new group of the host: its name, { id: 17 }, or null for no group; true for any group.',
  antivirus: 'true: the plan installs the anti-virus on the host.',
  delete: 'true: the plan deletes the host.',
} as const satisfies KeyDescriptions;

export const summaryKeys = {
  rename: 'Hosts that the plan renames.',
  temporaryRename: 'Hosts that get a temporary name.',
  move: 'Hosts that the plan moves.',
  antivirus: 'Hosts that get the anti-virus.',
  delete: 'Hosts that the plan deletes.',
  unchanged: 'Managed hosts that are already as desired.',
  awaitingEnrollment: 'Entries without a host.',
  unmanaged: 'Hosts that no entry and no rule claims.',
} as const satisfies KeyDescriptions;
