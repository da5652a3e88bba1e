import { type ExitCode, exitCodeOf, exitCodes } from '../../../control/engine/exit-code.ts';
import { fillName } from '../../../core/model/account-placeholders.ts';
import { toDocument } from '../../../core/plan/document/document-names.ts';
import { type DriftReport, isCompared, isDrift } from '../../../core/plan/drift/drift.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { paintDrift } from '../../../output/review/drift-text.ts';
import { driftIssue } from '../comments/drift-issue.ts';
import { badKey, keyPattern } from '../comments/marker.ts';
import { openPipelineIssues } from '../comments/pipeline-issues.ts';
import { type IssueOutcome, putIssue } from '../comments/put-issue.ts';
import { type DriftSources, readDrift } from '../planning/read-drift.ts';
import type { Context } from '../shell/context.ts';

export interface DriftFlags extends DriftSources {
  readonly detailedExitcode?: true;
  /** Show the drift in one issue of the pipeline's project, with this key or that of the account. */
  readonly issue?: true | string;
}

const driftFormatVersion = '2.0';

/** Separates changes in the fleet from changes in the file. Sends only GET requests. */
export async function drift(context: Context, flags: DriftFlags): Promise<ExitCode> {
  const issues = flags.issue === undefined ? null : openIssues(context, flags.issue);
  if (issues?.ok === false) return context.fail(issues.problems);
  const found = await readDrift(context, flags);
  if (!found.ok) return context.fail(found.problems);
  const { report } = found.value;
  print(report, context);
  const code = exitFor(report, flags);
  // A fleet that could not be compared leaves the issue unchanged.
  const mayPut = (code === exitCodes.success || code === exitCodes.changes) && isCompared(report);
  const put = issues === null || !mayPut ? ok(null) : await issues.value(report);
  context.report(report.problems);
  // Nobody would learn of the drift.
  return put.ok ? code : context.fail(put.problems);
}

const outcomeWords: Readonly<Record<IssueOutcome, string>> = {
  opened: 'Opened an issue about the drift.',
  updated: 'Updated the issue about the drift.',
  closed: 'Closed the issue about the drift.',
  'not-needed': 'There is no drift and no open issue about it.',
};

/** Checks the environment before a request is sent. */
function openIssues(
  context: Context,
  given: true | string,
): Result<(report: DriftReport) => Promise<Result<null>>> {
  const account = context.account?.name ?? 'default';
  const key = given === true ? account : fillName(given, account);
  if (!keyPattern.test(key)) return failed(badKey('--issue'));
  const opened = openPipelineIssues(context, key);
  if (!opened.ok) return opened;
  return ok(async (report) => {
    try {
      const { content, isNeeded } = driftIssue(report, key, context.io.env);
      const { redact } = context.redaction;
      const shown = { ...content, summary: redact(content.summary), report: redact(content.report) };
      const put = await putIssue(opened.value.issues, shown, { isNeeded });
      if (!put.ok) return put;
      context.log(outcomeWords[put.value]);
      return ok(null);
    } finally {
      await opened.value.close();
    }
  });
}

function print(report: DriftReport, context: Context): void {
  const { settings, io } = context;
  if (settings.format === 'json') {
    context.printJson({ format_version: driftFormatVersion, ...(toDocument(report) as object) });
  } else context.print(paintDrift(report, { colour: settings.outColour, columns: io.stdout.columns }));
}

/** A pending change is not drift, because the next apply makes it; nor is an install that the service accepted. */
function exitFor(
  { differences, unmanaged, problems }: DriftReport,
  { detailedExitcode }: DriftFlags,
): ExitCode {
  const code = exitCodeOf(problems);
  if (code !== exitCodes.success) return code;
  const drifted = differences.some(isDrift);
  return detailedExitcode === true && (drifted || unmanaged.length > 0)
    ? exitCodes.changes
    : exitCodes.success;
}
