/** What keeps users safe, with the tests that have to notice when it is changed. */
export interface MutatedFolder {
  readonly name: string;
  /** Files, or folders with all files below them. */
  readonly sources: readonly string[];
  /** Test files, or folders of them. */
  readonly tests: readonly string[];
}

/** The one place that says where the safety code and its tests are. */
export const mutatedFolders: readonly MutatedFolder[] = [
  {
    name: 'apply',
    sources: ['src/apply'],
    tests: ['test/apply', 'test/reliability/faults.test.ts', 'test/terraform/fleet'],
  },
  {
    name: 'guards',
    sources: ['src/plan/guards'],
    tests: ['test/plan', 'test/cli/policies.test.ts', 'test/cli/test-command.test.ts'],
  },
  {
    name: 'journal and lock',
    sources: ['src/journal'],
    tests: ['test/journal', 'test/reliability/torn-journal.test.ts'],
  },
  {
    name: 'retry and pace',
    sources: [
      'src/client/create-client.ts',
      'src/client/adaptive-pacer.ts',
      'src/client/backoff.ts',
      'src/client/call-queue.ts',
      'src/client/climb.ts',
      'src/client/delivery.ts',
      'src/client/pace.ts',
      'src/client/quota.ts',
      'src/client/retry-after.ts',
      'src/client/round-trip.ts',
      'src/client/send-once.ts',
      'src/client/status-failure.ts',
    ],
    tests: ['test/client'],
  },
  {
    name: 'exit codes',
    sources: ['src/cli/shell/exit-code.ts'],
    tests: ['test/cli/shell', 'test/cli/exit-codes.test.ts'],
  },
  {
    name: 'read-only',
    sources: ['src/cli/service/refuse-writing.ts', 'src/client/read-only.ts'],
    tests: ['test/cli/shell'],
  },
  {
    name: 'terraform apply',
    sources: [
      'src/terraform/fleet/activity.ts',
      'src/terraform/fleet/apply-fleet.ts',
      'src/terraform/fleet/batch-desk.ts',
      'src/terraform/fleet/batch-window.ts',
      'src/terraform/fleet/broker.ts',
      'src/terraform/fleet/check-install.ts',
      'src/terraform/fleet/fleet-changes.ts',
      'src/terraform/fleet/live-fleet.ts',
      'src/terraform/fleet/picture.ts',
      'src/terraform/fleet/rename-desk.ts',
      'src/terraform/fleet/rename-problems.ts',
      'src/terraform/fleet/rename-wish.ts',
      'src/terraform/fleet/run-record.ts',
      'src/terraform/fleet/single-step.ts',
      'src/terraform/fleet/traffic.ts',
      'src/terraform/fleet/turns.ts',
      'src/terraform/fleet/until-aborted.ts',
      'src/terraform/fleet/when-all-aborted.ts',
    ],
    tests: ['test/terraform/fleet'],
  },
];
