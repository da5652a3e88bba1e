import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { fillName } from '../../core/model/account-placeholders.ts';
import { toDocument } from '../../core/plan/document/document-names.ts';
import { type DriftReport, isDrift } from '../../core/plan/drift/drift.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import {
  type AccountDrift,
  accountsDriftIssue,
  type DriftIssue,
  driftIssue,
  type IssueOutcome,
  isDriftKnown,
  putIssue,
  toAccountDrift,
} from '../../forge/drift-issue.ts';
import { badKey, keyPattern } from '../../forge/marker.ts';
import { paintDrift } from '../../output/review/drift-text.ts';
import { type ExitCode, exitCodeOf, exitCodes, exitOverAccounts } from '../../run/apply/exit-code.ts';
import { forEachAccount } from '../accounts/for-each-account.ts';
import { printResult, textStyle } from '../listing/print-listing.ts';
import { openPipelineForge } from '../pipelines/pipeline-forge.ts';
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
  const { issue } = flags;
  const compare = async (own: Context) => {
    const each = await compared(own, flags);
    if (each.report !== undefined) own.report(each.report.problems);
    return each;
  };
  if (issue === undefined) return (await compare(context)).code;
  const account = context.account?.name ?? 'default';
  const key = issue === true ? account : fillName(issue, account);
  const issues = openIssues(context, key);
  if (!issues.ok) return context.fail(issues.problems);
  const put = issues.value;
  if (context.accounts !== undefined) return driftAccounts(context, context.accounts, key, { compare, put });
  const { code, report } = await compared(context, flags);
  if (report === undefined) return code;
  const done = isDriftKnown(code, report) ? await put(driftIssue(report, key, context.io.env)) : ok(null);
  context.report(report.problems);
  // Nobody would learn of the drift.
  return done.ok ? code : context.fail(done.problems);
}

/** Prints the drift of one account. */
async function compared(context: Context, flags: DriftFlags): Promise<ComparedFleet> {
  const found = await readDrift(context, flags);
  if (!found.ok) return { code: context.fail(found.problems) };
  const { report } = found.value;
  print(report, context);
  return { code: exitFor(report, flags), report };
}

const outcomeWords: Readonly<Record<IssueOutcome, string>> = {
  opened: 'Opened an issue about the drift.',
  updated: 'Updated the issue about the drift.',
  closed: 'Closed the issue about the drift.',
  'not-needed': 'There is no drift and no open issue about it.',
};

/** Checks the environment before a request is sent. */
function openIssues(context: Context, key: string): Result<(issue: DriftIssue) => Promise<Result<null>>> {
  if (!keyPattern.test(key)) return failed(badKey('--issue'));
  const opened = openPipelineForge(context);
  if (!opened.ok) return opened;
  return ok(async (issue) => {
    try {
      const put = await putIssue(opened.value.forge.issues(key), issue, context.redaction.redact);
      if (!put.ok) return put;
      context.log(outcomeWords[put.value]);
      return ok(null);
    } finally {
      await opened.value.close();
    }
  });
}

function print(report: DriftReport, context: Context): void {
  const document = { format_version: driftFormatVersion, ...(toDocument(report) as object) };
  printResult(context, document, () => paintDrift(report, textStyle(context)));
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

interface ComparedFleet {
  readonly code: ExitCode;
  /** Absent if the fleet could not be read. */
  readonly report?: DriftReport;
}

/** Compares the fleets of several accounts and shows the drift of all of them in one issue. */
async function driftAccounts(
  context: Context,
  accounts: readonly AccountConfig[],
  key: string,
  {
    compare,
    put,
  }: {
    readonly compare: (own: Context) => Promise<ComparedFleet>;
    readonly put: (issue: DriftIssue) => Promise<Result<null>>;
  },
): Promise<ExitCode> {
  const found = new Map<string, AccountDrift>();
  const code = await forEachAccount(context, accounts, async (own) => {
    const { code: each, report } = await compare(own);
    const name = own.account?.name ?? '';
    found.set(name, toAccountDrift(name, each, report));
    return each;
  });
  const drifts = accounts.map(({ name }) => found.get(name) ?? toAccountDrift(name, null, undefined));
  const issue = accountsDriftIssue(drifts, key, context.io.env);
  if (issue === undefined) {
    context.log('The issue about the drift is unchanged: not every account could be compared.');
  }
  const done = issue === undefined ? ok(null) : await put(issue);
  // Nobody would learn of the drift.
  return done.ok ? code : exitOverAccounts([code, context.fail(done.problems)]);
}
