import { fromDocument } from '../core/plan/document/document-names.ts';
import { type DriftDifference, type DriftReport, isCompared, isDrift } from '../core/plan/drift/drift.ts';
import type { DriftKind } from '../core/plan/drift/drift-kind.ts';
import { type Problem, warning } from '../core/problem/problem.ts';
import { driftIssue } from '../forge/drift-issue.ts';
import { fenced } from '../output/review/fenced.ts';
import { exitCodes } from '../run/apply/exit-code.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';
import { type PendingCounts, pendingOutputs } from './plan-outcome.ts';
import { type CommandEnd, runCommand, stateFlags } from './run-command.ts';
import { readProblems } from './validate-mode.ts';

export const driftTitle = '## Rampart drift\n\n';

export async function driftMode(job: Job): Promise<Outcome> {
  const { observed } = job.inputs;
  const argv = [
    'drift',
    ...stateFlags(job),
    ...(observed === undefined ? [] : [`--observed=${observed}`]),
    '--json',
    '--detailed-exitcode',
  ];
  const end = await runCommand(argv, job, { hidden: 'data' });
  const report = reportIn(JSON.parse(end.out || '{}') as object);
  if (report === undefined) return notCompared(end);
  const issue = driftIssue(report, job.inputs.key, job.runner.io.env);
  const { summary, report: text } = issue.content;
  job.runner.io.stdout.write(text);
  const mayPut = (end.code === exitCodes.changes || end.code === exitCodes.success) && isCompared(report);
  const drifted = report.differences.filter(isDrift);
  return {
    exitCode: end.code,
    ...(mayPut ? { issue } : {}),
    problems: [...report.problems, ...drifted.map(differenceProblem)],
    markdown: (limit) => {
      const head = `${driftTitle}**${summary}**\n\n`;
      return head + fenced(text, limit - head.length, 'start');
    },
    outputs: {
      changes: String(drifted.length + report.unmanaged.length),
      ...pendingOutputs(kindCounts(report.differences)),
    },
  };
}

/** The outcome of a command that could not read the fleet. */
export function notCompared(end: CommandEnd): Outcome {
  const head = `${driftTitle}**The fleet could not be compared.**\n\n`;
  return {
    exitCode: end.code,
    problems: readProblems(end),
    markdown: (limit) => head + fenced(end.err, limit - head.length),
    outputs: {},
  };
}

/** Undefined if the document contains only an error. */
export function reportIn(document: object): DriftReport | undefined {
  return 'differences' in document ? (fromDocument(document) as DriftReport) : undefined;
}

export function kindCounts(differences: readonly DriftDifference[]): PendingCounts {
  const ofKind = (kind: DriftKind) => differences.filter((each) => each.kind === kind).length;
  return { inProgress: ofKind('in-progress'), inDoubt: ofKind('in-doubt') };
}

export function differenceProblem({
  kind,
  name,
  hostId,
  attribute,
  observed,
  intended,
  place,
}: DriftDifference): Problem {
  const who = name === null ? `host ${hostId}` : `${name} (${hostId})`;
  const message = `${who}: ${attribute} is "${observed}", and the file has "${intended}"`;
  const placed = place === undefined ? {} : { place };
  if (kind === 'in-doubt')
    return warning('antivirus-in-doubt', `${message}; an install may have been requested`, placed);
  return warning('changed-since', message, placed);
}
