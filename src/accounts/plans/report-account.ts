import { countChanges, countIrreversible, irreversibleKinds } from '../../core/model/policy.ts';
import { toDocument } from '../../core/plan/document/document-names.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { type Plan, showsDifference } from '../../core/plan/types/plan.ts';
import type { BatchMember, Reason, Step } from '../../core/plan/types/step.ts';
import { type Problem, severities } from '../../core/problem/problem.ts';
import {
  type AccountOutcome,
  type AccountReport,
  mostReported,
  type ReportedChange,
  type ReportedPlan,
  type ReportedProblem,
} from '../../output/review/account-report.ts';
import { countCauses, firstCauses } from '../../output/review/causes.ts';
import { comparisonCounts } from '../../output/review/comparison.ts';
import { cutText } from '../../output/review/cut-text.ts';
import { gitlabReport } from '../../output/review/gitlab-report.ts';
import { blockedRenames } from '../../output/review/rows.ts';

type AccountHead = AccountReport['account'];

/** The outcome of planning one account: its plan, or the problems that prevented it. */
export interface PlannedAccount {
  readonly account: AccountHead;
  readonly exitCode: number;
  readonly plan?: Plan;
  readonly file?: NonNullable<ReportedPlan['file']>;
  /** In addition to the problems of the plan. */
  readonly problems: readonly Problem[];
}

/**
 * Reduces a plan to what a review of many shows about it. `redact` removes secrets: messages may quote the service, and
 * the index is a file, which no stream redacts.
 */
export function reportAccount(
  { account, exitCode, plan, file, problems }: PlannedAccount,
  redact = (text: string) => text,
): AccountReport {
  const report: AccountReport = {
    account,
    outcome: outcomeOf(plan),
    exit_code: exitCode,
    ...(plan === undefined ? {} : { plan: reportPlan(plan, file) }),
    problems: reportProblems([...problems, ...(plan?.problems ?? [])], redact),
  };
  // A name is a part of the list that it was read from, and would keep the whole list of its account in memory.
  return JSON.parse(JSON.stringify(report)) as AccountReport;
}

function outcomeOf(plan: Plan | undefined): AccountOutcome {
  if (plan === undefined) return 'failed';
  if (!plan.applicable) return 'refused';
  return showsDifference(plan) ? 'changes' : 'no-changes';
}

function reportPlan(plan: Plan, file: ReportedPlan['file']): ReportedPlan {
  const { summary, calls, observed, comparison, rehearsal } = plan;
  return {
    checksum: planChecksum(plan),
    ...(file === undefined ? {} : { file }),
    applicable: plan.applicable,
    partial: plan.partial,
    taken_at: observed.takenAt,
    hosts: observed.hosts,
    groups: observed.groups,
    summary: toDocument(summary) as ReportedPlan['summary'],
    changed_hosts: gitlabReport(plan).update,
    blocked: blockedRenames(plan.problems),
    calls: { planned: calls.planned, minimum: calls.minimum },
    approved: plan.breaches
      .filter(({ acknowledged }) => acknowledged)
      .map(({ limit, count, allowed }) => ({ limit, count, allowed })),
    irreversible: { count: countIrreversible(summary), first: firstIrreversible(plan) },
    changes: { count: countChanges(summary) - countIrreversible(summary), first: firstReversible(plan) },
    causes: { count: countCauses(plan), first: firstCauses(plan) },
    ...(comparison === undefined
      ? {}
      : { comparison: { base: comparison.base, ...comparisonCounts(comparison) } }),
    ...(rehearsal === undefined
      ? {}
      : { rehearsal: toDocument(rehearsal) as NonNullable<ReportedPlan['rehearsal']> }),
  };
}

function reportProblems(
  problems: readonly Problem[],
  redact: (text: string) => string,
): AccountReport['problems'] {
  const bySeverity = severities.map((severity) => problems.filter((each) => each.severity === severity));
  const [error = [], warning = [], note = []] = bySeverity;
  return {
    error: error.length,
    warning: warning.length,
    note: note.length,
    first: bySeverity
      .flat()
      .slice(0, mostReported.problems)
      .map((each) => toReported(each, redact)),
  };
}

function toReported(
  { code, severity, message, hint, place }: Problem,
  redact: (text: string) => string,
): ReportedProblem {
  return {
    code,
    severity,
    message: cutText(redact(message)),
    ...(hint === undefined ? {} : { hint: cutText(redact(hint)) }),
    ...(place === undefined ? {} : { file: cutText(place.file), line: place.line }),
  };
}

function firstIrreversible({ steps }: Plan): ReportedChange[] {
  return first(
    mostReported.irreversible,
    irreversibleKinds.map((kind) => changesOf(steps, kind)),
  );
}

/** The first renames, then moves. A temporary rename is not a separate change. */
function firstReversible({ steps }: Plan): ReportedChange[] {
  return first(mostReported.changes, [changesOf(steps, 'rename'), changesOf(steps, 'move')]);
}

function first(most: number, lists: readonly Iterable<ReportedChange>[]): ReportedChange[] {
  const rows: ReportedChange[] = [];
  for (const list of lists) {
    for (const row of list) {
      if (rows.length === most) return rows;
      rows.push(row);
    }
  }
  return rows;
}

/** Made one at a time: most of them are not shown. */
function* changesOf(steps: readonly Step[], kind: ReportedChange['kind']): Generator<ReportedChange> {
  for (const step of steps) {
    if (step.kind !== kind) continue;
    if (step.kind === 'rename') {
      const { hostId, expects, to, reason } = step;
      yield {
        kind: 'rename',
        host_id: hostId,
        name: textOf(expects.name),
        to: cutText(to),
        reason: reasonOf(reason),
      };
    } else for (const member of step.hosts) yield memberChange(member, step);
  }
}

function memberChange({ hostId, name, reason, hazards }: BatchMember, step: Step): ReportedChange {
  const change = { host_id: hostId, name: textOf(name), reason: reasonOf(reason) };
  switch (step.kind) {
    case 'move':
      return { kind: 'move', ...change, to: textOf(step.groupName) };
    case 'delete':
      return { kind: 'delete', ...change, ...(hazards.includes('online') ? { online: true as const } : {}) };
    default:
      return { kind: 'antivirus', ...change };
  }
}

function reasonOf({ file, line, rule }: Reason): ReportedChange['reason'] {
  return { file: cutText(file), line, ...(rule === undefined ? {} : { rule: cutText(rule) }) };
}

function textOf(name: string | null): string | null {
  return name === null ? null : cutText(name);
}
