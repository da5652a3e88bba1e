import type { PendingState } from '../../core/model/install-request.ts';
import type { RunEvent, StepOutcome } from '../../core/model/run-event.ts';
import { isDoneOutcome } from '../../core/model/run-event.ts';
import { type PendingInstall, type Plan, planFormatVersion } from '../../core/plan/types/plan.ts';
import { hostIdsOf, type Step } from '../../core/plan/types/step.ts';
import { toProblemRecord } from './problem-record.ts';
import { type RunReport, unverifiedHosts } from './run-report.ts';

/** Minor versions add members and types; major versions change their meaning. */
const eventFormatVersion = '1.3';

export const versionEvent = {
  type: 'version',
  format_version: eventFormatVersion,
  plan_format_version: planFormatVersion,
} as const;

export function toPlannedChanges(plan: Plan): readonly object[] {
  return plan.steps.map((step) => ({
    type: 'planned_change',
    step: step.id,
    kind: step.kind,
    ...targetOf(step),
  }));
}

/** A run's event in its documented form; undefined for events that are of no use to a program. */
export function toEventDocument(event: RunEvent): object | undefined {
  switch (event.type) {
    case 'step_start':
      return { type: 'apply_start', step: event.step, kind: event.kind, hosts: event.hosts };
    case 'step_end':
      return {
        type: isDoneOutcome(event.outcome) ? 'apply_complete' : 'apply_errored',
        step: event.step,
        kind: event.kind,
        outcome: event.outcome,
        done: event.done,
        of: event.of,
      };
    case 'waiting':
      return { type: 'apply_progress', waiting_for: event.action, wait_ms: event.ms };
    case 'diagnostic':
      return { type: 'diagnostic', ...toProblemRecord(event.problem) };
    case 'call':
    case 'retry':
    case 'apply_start':
    case 'apply_end':
      return undefined;
  }
}

export function toSummary(report: RunReport, exitCode: number): object {
  const { runId, steps, sent, rateLimited, interrupted, verified, converged, pendingInstalls } = report;
  const problems = [...report.problems, ...report.unrecorded];
  const outcomes: Partial<Record<StepOutcome, number>> = {};
  for (const { outcome } of steps) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  return {
    type: 'change_summary',
    run_id: runId === '' ? null : runId,
    steps: steps.length,
    outcomes,
    calls: sent,
    ...(rateLimited === undefined ? {} : { calls_rate_limited: rateLimited }),
    interrupted,
    verified,
    converged,
    recorded: report.unrecorded.length === 0,
    installs_in_progress: hostIdsIn(pendingInstalls, 'in-progress'),
    installs_in_doubt: hostIdsIn(pendingInstalls, 'in-doubt'),
    unverified: unverifiedHosts(report),
    problems: problems.map((each) => ({ ...toProblemRecord(each), host_ids: each.hostIds ?? [] })),
    exit_code: exitCode,
  };
}

function hostIdsIn(pending: readonly PendingInstall[], state: PendingState): readonly string[] {
  return pending.flatMap((each) => (each.state === state ? [each.hostId] : []));
}

/** The hosts and values that a step changes. */
export function targetOf(step: Step): object {
  switch (step.kind) {
    case 'rename':
    case 'temporary-rename':
      return { host_ids: [step.hostId], from: step.from, to: step.to };
    case 'move':
      return { host_ids: hostIdsOf(step), group_id: step.groupId, group_name: step.groupName };
    case 'antivirus':
    case 'refresh':
    case 'delete':
      return { host_ids: hostIdsOf(step) };
  }
}
