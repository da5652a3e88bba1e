import { fromDocument } from '../core/plan/document/document-names.ts';
import { type DriftDifference, type DriftReport, isDrift } from '../core/plan/drift/drift.ts';
import type { DriftKind } from '../core/plan/drift/drift-kind.ts';
import type { PendingCounts } from '../core/plan/types/plan.ts';
import { ok, type Problem, type Result, warning } from '../core/problem/problem.ts';
import {
  accountsDriftIssue,
  accountsDriftReport,
  accountsDriftSummary,
  type DriftIssue,
  driftIssue,
  isDriftKnown,
  putIssue,
  toAccountDrift,
} from '../forge/drift-issue.ts';
import type { Github } from '../forge/github.ts';
import { type Job, type Outcome, pendingOutputs, textOutcome } from './job.ts';
import {
  accountOutputs,
  type CommandEnd,
  inAccount,
  observedFlag,
  runCommand,
  stateFlags,
} from './run-command.ts';
import { problemsIn, readProblems } from './validate-mode.ts';

const title = '## Rampart drift\n\n';

/** Compares the fleet, or those of all selected accounts with one report and one issue. */
export async function driftMode(job: Job): Promise<Outcome> {
  const argv = ['drift', ...stateFlags(job), ...observedFlag(job), '--json', '--detailed-exitcode'];
  const end = await runCommand(argv, job, { hidden: 'data' });
  const found = job.inputs.accounts === undefined ? driftOfOne(job, end) : driftOfAccounts(job, end);
  if (found === undefined) {
    const head = `${title}**The fleet could not be compared.**\n\n`;
    return textOutcome(end.code, head, end.err, { problems: readProblems(end) });
  }
  const { reports, summary, text, issue, problems } = found;
  job.runner.io.stdout.write(text);
  const differences = reports.flatMap((report) => report.differences);
  const unmanaged = reports.reduce((sum, report) => sum + report.unmanaged.length, 0);
  return {
    ...textOutcome(end.code, `${title}**${summary}**\n\n`, text, { problems, keep: 'start' }),
    ...(issue && { issue }),
    outputs: {
      changes: String(differences.filter(isDrift).length + unmanaged),
      ...pendingOutputs(kindCounts(differences)),
    },
  };
}

interface FoundDrift {
  readonly reports: readonly DriftReport[];
  readonly summary: string;
  readonly text: string;
  /** Absent if not every fleet could be compared. */
  readonly issue?: DriftIssue | undefined;
  readonly problems: readonly Problem[];
}

/** Undefined if the fleet could not be read. */
function driftOfOne({ inputs, runner }: Job, { code, out }: CommandEnd): FoundDrift | undefined {
  const report = reportIn(JSON.parse(out || '{}') as object);
  if (report === undefined) return undefined;
  const issue = driftIssue(report, inputs.key, runner.io.env);
  const { summary, report: text } = issue.content;
  return {
    reports: [report],
    summary,
    text,
    issue: isDriftKnown(code, report) ? issue : undefined,
    problems: problemsOf(report),
  };
}

/** Undefined if no account was compared. */
function driftOfAccounts({ inputs, runner }: Job, end: CommandEnd): FoundDrift | undefined {
  const found = accountOutputs(end)?.map((each) => ({ ...each, report: reportIn(each.output ?? {}) }));
  if (found === undefined) return undefined;
  const drifts = found.map(({ account, exit_code, report }) => toAccountDrift(account, exit_code, report));
  return {
    reports: found.flatMap(({ report }) => report ?? []),
    summary: accountsDriftSummary(drifts),
    text: accountsDriftReport(drifts),
    issue: accountsDriftIssue(drifts, inputs.key, runner.io.env),
    problems: found.flatMap(({ account, output, report }) =>
      (report === undefined ? problemsIn(output ?? {}) : problemsOf(report)).map((each) =>
        inAccount(account, each),
      ),
    ),
  };
}

/** Undefined if the document contains only an error. */
function reportIn(document: object): DriftReport | undefined {
  return 'differences' in document ? (fromDocument(document) as DriftReport) : undefined;
}

function kindCounts(differences: readonly DriftDifference[]): PendingCounts {
  const ofKind = (kind: DriftKind) => differences.filter((each) => each.kind === kind).length;
  return { installsInProgress: ofKind('in-progress'), installsInDoubt: ofKind('in-doubt') };
}

function problemsOf({ problems, differences }: DriftReport): readonly Problem[] {
  return [...problems, ...differences.filter(isDrift).map(differenceProblem)];
}

function differenceProblem(difference: DriftDifference): Problem {
  const { kind, name, hostId, attribute, observed, intended, place } = difference;
  const who = name === null ? `host ${hostId}` : `${name} (${hostId})`;
  const message = `${who}: ${attribute} is "${observed}", and the file has "${intended}"`;
  const placed = place === undefined ? {} : { place };
  if (kind === 'in-doubt')
    return warning('antivirus-in-doubt', `${message}; an install may have been requested`, placed);
  return warning('changed-since', message, placed);
}

/** One open issue for each key shows the drift. A run that could not compare the fleet leaves the issue unchanged. */
export async function updateDriftIssue(
  { inputs, redaction }: Job,
  { issue }: Outcome,
  github: () => Result<Github>,
): Promise<Result<unknown>> {
  if (issue === undefined) return ok(null);
  const api = github();
  if (!api.ok) return api;
  return putIssue(api.value.issues(inputs.key), issue, redaction.redact);
}
