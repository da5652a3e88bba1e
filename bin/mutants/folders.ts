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
    sources: ['src/run/apply'],
    tests: ['test/run/apply', 'test/reliability/faults.test.ts', 'test/doors/terraform/fleet'],
  },
  {
    name: 'guards',
    sources: ['src/core/plan/guards'],
    tests: ['test/core/plan', 'test/doors/cli/policies.test.ts', 'test/doors/cli/test-command.test.ts'],
  },
  {
    name: 'journal and lock',
    sources: [
      'src/run/state/journal',
      'src/run/state/lease',
      'src/run/state/files',
      'src/run/state/open-state.ts',
      'src/run/state/prune-runs.ts',
      'src/run/state/recall-runs.ts',
      'src/run/state/state-url.ts',
      'src/run/state/track-lists.ts',
      'src/run/state/transfer.ts',
    ],
    tests: [
      'test/run/state/journal',
      'test/run/state/lease',
      'test/run/state/files',
      'test/run/state/audit/audit-logs.test.ts',
      'test/run/state/open-state.test.ts',
      'test/run/state/prune-runs.test.ts',
      'test/run/state/recall-runs.test.ts',
      'test/run/state/state-url.test.ts',
      'test/run/state/track-lists.test.ts',
      'test/run/state/transfer.test.ts',
      'test/core/plan/undo-desired.test.ts',
    ],
  },
  {
    name: 'shared state',
    sources: ['src/run/state/postgres'],
    tests: ['test/run/state/postgres', 'test/run/state/audit/audit-logs.test.ts'],
  },
  {
    name: 'server store',
    sources: ['src/control/store'],
    tests: ['test/control/store'],
  },
  {
    name: 'origin and audit',
    sources: ['src/run/state/audit', 'src/run/state/origin', 'src/run/state/audited-run.ts'],
    tests: ['test/run/state/audit', 'test/run/state/origin', 'test/run/state/audited-run.test.ts'],
  },
  {
    name: 'retry and pace',
    sources: [
      'src/service/client/create-client.ts',
      'src/service/client/adaptive-pacer.ts',
      'src/service/client/backoff.ts',
      'src/service/client/call-queue.ts',
      'src/service/client/climb.ts',
      'src/service/client/delivery.ts',
      'src/service/client/pace.ts',
      'src/service/client/quota.ts',
      'src/service/client/retry-after.ts',
      'src/service/client/round-trip.ts',
      'src/service/client/send-once.ts',
      'src/service/client/status-failure.ts',
    ],
    tests: ['test/service/client'],
  },
  {
    name: 'engine',
    sources: [
      'src/control/engine/apply-account.ts',
      'src/control/engine/check-account.ts',
      'src/control/engine/configuration.ts',
      'src/control/engine/open-account.ts',
      'src/control/engine/plan-undo.ts',
      'src/control/engine/planning.ts',
      'src/control/engine/read-live.ts',
    ],
    tests: ['test/control/engine'],
  },
  {
    name: 'jobs',
    sources: [
      'src/control/jobs/approval-policy.ts',
      'src/control/jobs/approved-plan.ts',
      'src/control/jobs/check-account.ts',
      'src/control/jobs/end-run.ts',
      'src/control/jobs/engine-of.ts',
      'src/control/jobs/hold.ts',
      'src/control/jobs/job-handlers.ts',
      'src/control/jobs/may-override.ts',
      'src/control/jobs/propose-plan.ts',
      'src/control/jobs/propose-undo.ts',
      'src/control/jobs/queue-run.ts',
      'src/control/jobs/rehearse-plan.ts',
      'src/control/jobs/run-plan.ts',
      'src/control/jobs/run-windows.ts',
      'src/control/jobs/watch-run.ts',
    ],
    // Those without a database: the others take too long for so many mutants.
    tests: [
      'test/control/jobs/approved-plan.test.ts',
      'test/control/jobs/check-account.test.ts',
      'test/control/jobs/end-run.test.ts',
      'test/control/jobs/hold.test.ts',
      'test/control/jobs/queue-run.test.ts',
      'test/control/jobs/rehearse-plan.test.ts',
      'test/control/jobs/run-plan.test.ts',
      'test/control/jobs/watch-run.test.ts',
    ],
  },
  {
    name: 'roll-outs of the server',
    sources: [
      'src/control/jobs/advance-rollout.ts',
      'src/control/jobs/change-rollout.ts',
      'src/control/jobs/start-rollout.ts',
    ],
    tests: ['test/control/jobs/rollout-steps.test.ts'],
  },
  {
    name: 'waves',
    sources: [
      'src/control/waves/decide.ts',
      'src/control/waves/rollout-record-keeper.ts',
      'src/control/waves/run-rollout.ts',
      'src/control/waves/split-waves.ts',
      'src/control/waves/spread-acks.ts',
      'src/control/waves/undo-rollout.ts',
    ],
    tests: ['test/control/waves'],
  },
  {
    name: 'plans of accounts',
    sources: [
      'src/control/plans/create-plans-folder.ts',
      'src/control/plans/index-agreement.ts',
      'src/control/plans/open-plans.ts',
      'src/control/plans/plan-file-name.ts',
      'src/control/plans/plans-index.ts',
      'src/control/plans/sum-accounts.ts',
    ],
    tests: ['test/control/plans'],
  },
  {
    name: 'queue',
    sources: ['src/control/queue'],
    // Those without a database: the others take too long for so many mutants.
    tests: [
      'test/control/queue/open-queue-jobs.test.ts',
      'test/control/queue/queue-rules.test.ts',
      'test/control/queue/rate-limited-log.test.ts',
    ],
  },
  {
    name: 'schedule',
    sources: ['src/control/schedule', 'src/control/jobs/fetch-source.ts', 'src/control/jobs/tick.ts'],
    tests: [
      'test/control/schedule',
      'test/control/jobs/fetch-source.test.ts',
      'test/control/jobs/queue-run.test.ts',
      'test/control/jobs/tick.test.ts',
    ],
  },
  {
    name: 'exit codes',
    sources: ['src/control/engine/exit-code.ts'],
    tests: ['test/control/engine/exit-code.test.ts', 'test/doors/cli/exit-codes.test.ts'],
  },
  {
    name: 'read-only',
    sources: ['src/doors/cli/service/refuse-writing.ts', 'src/service/client/read-only.ts'],
    tests: ['test/doors/cli/shell'],
  },
  {
    name: 'terraform apply',
    sources: [
      'src/doors/terraform/fleet/apply-fleet.ts',
      'src/doors/terraform/fleet/batch-collector.ts',
      'src/doors/terraform/fleet/batch-window.ts',
      'src/doors/terraform/fleet/check-install.ts',
      'src/doors/terraform/fleet/coordinator.ts',
      'src/doors/terraform/fleet/fleet-changes.ts',
      'src/doors/terraform/fleet/why-not-deleted.ts',
      'src/doors/terraform/fleet/keyed-mutex.ts',
      'src/doors/terraform/fleet/latest-observation.ts',
      'src/doors/terraform/fleet/live-fleet.ts',
      'src/doors/terraform/fleet/operation-tracker.ts',
      'src/doors/terraform/fleet/rename-intent.ts',
      'src/doors/terraform/fleet/rename-problems.ts',
      'src/doors/terraform/fleet/rename-queue.ts',
      'src/doors/terraform/fleet/run-record.ts',
      'src/doors/terraform/fleet/since-plan.ts',
      'src/doors/terraform/fleet/single-step.ts',
      'src/doors/terraform/fleet/stall-detector.ts',
      'src/doors/terraform/fleet/until-aborted.ts',
      'src/doors/terraform/fleet/when-all-aborted.ts',
    ],
    tests: ['test/doors/terraform/fleet'],
  },
  {
    name: 'terraform provider',
    sources: ['src/doors/terraform/provider/host', 'src/doors/terraform/provider/members'],
    tests: ['test/doors/terraform/provider'],
  },
  {
    name: 'access',
    sources: ['src/control/access'],
    tests: ['test/control/access'],
  },
  {
    name: 'signing in',
    sources: [
      'src/doors/server/login',
      'src/service/client/address-rules.ts',
      'src/service/client/guarded-fetch.ts',
    ],
    tests: [
      'test/doors/server/login',
      'test/service/client/address-rules.test.ts',
      'test/service/client/guarded-fetch.test.ts',
    ],
  },
  {
    name: 'approvals',
    sources: ['src/control/approvals'],
    tests: ['test/control/approvals'],
  },
  {
    name: 'sources',
    sources: ['src/control/sources'],
    tests: ['test/control/sources'],
  },
  {
    name: 'notifications',
    sources: ['src/control/notify'],
    tests: ['test/control/notify'],
  },
  {
    name: 'webhooks',
    sources: ['src/doors/server/hooks'],
    tests: ['test/doors/server/hooks'],
  },
];
