/** Common questions, and the pages of which one must be among the first three hits: ten questions and twenty words. */
export const questions = {
  'plan in a pull request in five minutes': '/start/pull-request',
  'approve the deletion of 28 hosts': '/guides/approve-deletions',
  'two teams, one account': '/guides/two-teams',
  'what happens on a 409': '/guides/conflicts',
  'a run crashed, what now': '/guides/when-a-run-fails',
  'which keys may I write': '/reference/keys',
  'the server in production with PostgreSQL and OIDC': '/guides/server-in-production',
  'what it costs in API calls': '/reference/api-calls',
  "what can't be undone": '/reference/irreversible',
  'Terraform or YAML': '/terraform/guides/terraform-or-yaml',
} as const;

const words: readonly (readonly [string, readonly string[]])[] = [
  ['drift', ['/guides/drift']],
  ['undo', ['/explanation/planning-and-applying', '/reference/irreversible']],
  ['approve', ['/guides/approvals', '/guides/approve-deletions']],
  ['exit code 5', ['/reference/exit-codes', '/guides/when-a-run-fails']],
  ['409', ['/guides/conflicts']],
  ['webhook', ['/guides/sources', '/guides/notifications']],
  ['csv', ['/reference/desired-state', '/guides/import']],
  ['rules', ['/reference/rules']],
  ['rollout', ['/guides/many-accounts']],
  ['GitLab', ['/guides/gitlab']],
  ['Azure', ['/guides/azure']],
  ['temporary name', ['/explanation/planning-and-applying']],
  ['emulator', ['/guides/emulator']],
  ['console', ['/guides/console']],
  ['lock', ['/guides/shared-state', '/explanation/planning-and-applying']],
  ['inventory', ['/guides/inventory']],
  ['RAMPART_PSK_FILE', ['/reference/environment']],
  ['limits', ['/reference/desired-state', '/reference/policies']],
  ['import', ['/guides/import']],
  ['OpenTelemetry', ['/guides/observability']],
];

export const searches: readonly (readonly [string, readonly string[]])[] = [
  ...Object.entries(questions).map(([question, page]) => [question, [page]] as const),
  ...words,
];
