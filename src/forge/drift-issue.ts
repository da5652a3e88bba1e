import type { Environment } from '../core/lib/surroundings.ts';
import { count, firstFew } from '../core/lib/words.ts';
import { type DriftReport, isCompared, isDrift } from '../core/plan/drift/drift.ts';
import { ok, type Result } from '../core/problem/problem.ts';
import { plainStyle } from '../output/review/color.ts';
import { paintDrift } from '../output/review/drift-text.ts';
import { type ExitCode, isGood } from '../run/apply/exit-code.ts';
import { pipelineOrigin } from '../run/state/origin/pipeline-origin.ts';
import type { IssueContent, Issues } from './forge.ts';

/** The issue about the drift of a fleet, or about its end. */
export interface DriftIssue {
  readonly content: IssueContent;
  /** Should it be open? */
  readonly isNeeded: boolean;
}

export function driftIssue(report: DriftReport, key: string, env: Environment): DriftIssue {
  const hosts = driftedHosts(report);
  const { job } = pipelineOrigin(env);
  return {
    content: {
      title: key === 'default' ? 'The fleet has drifted' : `The fleet of ${key} has drifted`,
      summary: summaryOf(report, hosts),
      report: paintDrift(report, plainStyle),
      ...(job === undefined ? {} : { job }),
    },
    isNeeded: hosts > 0,
  };
}

/** The number of hosts with drift, and of unmanaged hosts that changed. */
function driftedHosts(report: DriftReport): number {
  const drifted = [...report.differences.filter(isDrift), ...report.unmanaged];
  return new Set(drifted.map(({ hostId }) => hostId)).size;
}

function summaryOf(report: DriftReport, hosts: number): string {
  if (hosts > 0) return `The fleet has drifted: ${count(hosts, 'host')}.`;
  return isCompared(report) ? 'There is no drift.' : 'The list may be incomplete, so drift is unknown.';
}

/** The drift of one account, of bounded size. */
export interface AccountDrift {
  readonly account: string;
  /** The number of hosts that have drifted; null if the fleet could not be compared. */
  readonly hosts: number | null;
  /** Lines for a font of fixed width; empty without drift. */
  readonly report: string;
}

/** Many accounts share the space of one issue. */
const mostLines = 40;

/** `report` is undefined if the command did not compare the fleet. */
export function toAccountDrift(
  account: string,
  code: ExitCode | null,
  report: DriftReport | undefined,
): AccountDrift {
  if (!isDriftKnown(code, report)) return { account, hosts: null, report: '' };
  const hosts = driftedHosts(report);
  return { account, hosts, report: hosts === 0 ? '' : reportOf(account, report) };
}

/** Only a fleet that could be compared changes an issue. */
export function isDriftKnown(code: ExitCode | null, report: DriftReport | undefined): report is DriftReport {
  return isGood(code) && report !== undefined && isCompared(report);
}

function reportOf(account: string, report: DriftReport): string {
  const lines = paintDrift(report, plainStyle).trimEnd().split('\n');
  const more = lines.length - mostLines;
  const shown = more > 0 ? lines.slice(0, mostLines) : lines;
  const rest = more > 0 ? [`… and ${count(more, 'more line')}: rampart drift --account ${account}`] : [];
  return [...shown, ...rest].join('\n');
}

/**
 * The issue about the drift of several accounts, or about its end. Undefined if it must not change: no account has
 * drifted, and some could not be compared.
 */
export function accountsDriftIssue(
  drifts: readonly AccountDrift[],
  key: string,
  env: Environment,
): DriftIssue | undefined {
  const { drifted, unknown } = sorted(drifts);
  if (drifted.length === 0 && unknown.length > 0) return undefined;
  const { job } = pipelineOrigin(env);
  return {
    content: {
      title: key === 'default' ? 'Fleets have drifted' : `Fleets of ${key} have drifted`,
      summary: accountsDriftSummary(drifts),
      report: accountsDriftReport(drifts),
      ...(job === undefined ? {} : { job }),
    },
    isNeeded: drifted.length > 0,
  };
}

/** One or two sentences. */
export function accountsDriftSummary(drifts: readonly AccountDrift[]): string {
  const { drifted, unknown } = sorted(drifts);
  const all = count(drifts.length, 'account');
  const hosts = drifted.reduce((sum, each) => sum + (each.hosts ?? 0), 0);
  const words = [
    ...(drifted.length === 0
      ? []
      : [
          `${drifted.length} of ${all} ${drifted.length === 1 ? 'has' : 'have'} drifted: ${count(hosts, 'host')}.`,
        ]),
    ...(unknown.length === 0 ? [] : [`${unknown.length} of ${all} could not be compared.`]),
  ];
  if (words.length > 0) return words.join(' ');
  return drifts.length === 0 ? 'No account is selected.' : `There is no drift in ${all}.`;
}

/** First the accounts that have drifted, then those that could not be compared. */
export function accountsDriftReport(drifts: readonly AccountDrift[]): string {
  const { drifted, unknown, others } = sorted(drifts);
  return [
    ...drifted.map(({ account, report }) => `== ${account} ==\n${report}\n`),
    ...(unknown.length === 0 ? [] : [`Not compared: ${namesOf(unknown)}\n`]),
    ...(others.length === 0 ? [] : [`No drift: ${namesOf(others)}\n`]),
  ].join('\n');
}

function sorted(drifts: readonly AccountDrift[]) {
  return {
    drifted: drifts.filter(({ hosts }) => hosts !== null && hosts > 0),
    unknown: drifts.filter(({ hosts }) => hosts === null),
    others: drifts.filter(({ hosts }) => hosts === 0),
  };
}

const mostNames = 50;

function namesOf(drifts: readonly AccountDrift[]): string {
  return firstFew(drifts, mostNames, ({ account }) => account);
}

export type IssueOutcome = 'opened' | 'updated' | 'closed' | 'not-needed';

/** One open issue while there is something to show, and none otherwise, however often this runs. */
export async function putIssue(
  issues: Issues,
  { content: given, isNeeded }: DriftIssue,
  redact: (text: string) => string,
): Promise<Result<IssueOutcome>> {
  const content = { ...given, summary: redact(given.summary), report: redact(given.report) };
  const open = await issues.listOpen();
  if (!open.ok) return open;
  const [first, ...others] = open.value;
  // Two concurrent runs may each have opened one.
  for (const id of isNeeded ? others : open.value) {
    const closed = await issues.close(id, content);
    if (!closed.ok) return closed;
  }
  if (!isNeeded) return ok(first === undefined ? 'not-needed' : 'closed');
  const put = first === undefined ? await issues.create(content) : await issues.update(first, content);
  return put.ok ? ok(first === undefined ? 'opened' : 'updated') : put;
}
