import { readFile, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeWhole } from '../cli/shell/context.ts';
import { planChecksum, readPlan } from '../core/plan/document/plan-document.ts';
import { type Plan, showsDifference } from '../core/plan/types/plan.ts';
import type { Problem } from '../core/problem/problem.ts';
import { pageOrigin, reviewLinks } from '../forge/review-links.ts';
import { paintHtml } from '../output/page/html.ts';
import { paintMarkdown } from '../output/review/markdown.ts';
import { toRows } from '../output/review/rows.ts';
import { type ExitCode, exitCodes, exitWithoutRecord } from '../run/apply/exit-code.ts';
import { baseFlags } from './base-flags.ts';
import { countOutputs, type Job, type Outcome, pendingOutputs, textOutcome } from './job.ts';
import { type CommandEnd, keptPath, observedFlag, runCommand, stateFlags } from './run-command.ts';
import { fileProblems } from './validate-mode.ts';

export async function planMode(job: Job): Promise<Outcome> {
  const path = await freshPlanPath(job);
  const base = await baseFlags(job);
  const argv = [
    'plan',
    ...stateFlags(job),
    ...base.flags,
    ...observedFlag(job),
    `--out=${path}`,
    ...(job.inputs.sign ? ['--sign'] : []),
  ];
  return planOutcome(job, await runCommand(argv, job), path, base.problems);
}

/** The path of the plan file. */
export function planPathOf(job: Job): string {
  return keptPath(job, 'plan.json');
}

/** A file that an earlier step left there is not used. */
export async function freshPlanPath(job: Job): Promise<string> {
  const path = planPathOf(job);
  await rm(path, { force: true });
  return path;
}

/** The outcome of a command that writes a plan file. */
export async function planOutcome(
  job: Job,
  end: CommandEnd,
  path: string,
  more: readonly Problem[] = [],
): Promise<Outcome> {
  const plan = await writtenPlan(path);
  if (plan === undefined) {
    const problems = [...more, ...(await fileProblems(job))];
    return textOutcome(end.code, '## Rampart plan\n\n**No plan could be made.**\n\n', end.text, { problems });
  }
  const html = await writePage(job, () => paintHtml(toRows(plan), pageOrigin(job.runner.io.env)));
  return {
    exitCode: exitWithoutRecord(detailed(end.code, plan), html.problems),
    plan,
    problems: [...more, ...plan.problems, ...html.problems],
    markdown: (limit) =>
      paintMarkdown(toRows(plan), { limit, ...reviewLinks(job.runner.io.env, job.folder) }),
    outputs: {
      ...countOutputs(plan.summary),
      ...pendingOutputs(plan.summary),
      checksum: planChecksum(plan),
      'plan-path': path,
      ...html.outputs,
    },
  };
}

async function writtenPlan(path: string): Promise<Plan | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const plan = readPlan(text, path);
  return plan.ok ? plan.value : undefined;
}

function detailed(code: ExitCode, plan: Plan): ExitCode {
  return code === exitCodes.success && showsDifference(plan) ? exitCodes.changes : code;
}

/** Writes the page of a review to the file of the input html-path. */
export async function writePage(
  { inputs, folder, redaction }: Job,
  paint: () => string,
): Promise<Pick<Outcome, 'problems' | 'outputs'>> {
  if (inputs.htmlPath === undefined) return { problems: [], outputs: {} };
  const path = resolve(folder, inputs.htmlPath);
  const written = await writeWhole(path, inputs.htmlPath, redaction.redact(paint()));
  return { problems: written.problems, outputs: written.ok ? { 'html-path': path } : {} };
}
