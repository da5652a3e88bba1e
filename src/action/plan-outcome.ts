import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeWhole } from '../cli/shell/files.ts';
import { planChecksum, readPlan } from '../core/plan/document/plan-document.ts';
import type { Plan } from '../core/plan/types/plan.ts';
import type { Problem } from '../core/problem/problem.ts';
import { pageOrigin, reviewLinks } from '../forge/review-links.ts';
import { paintHtml } from '../output/page/html.ts';
import { fenced } from '../output/review/fenced.ts';
import { paintMarkdown } from '../output/review/markdown.ts';
import { toRows } from '../output/review/rows.ts';
import { type ExitCode, exitCodes, exitWithoutRecord } from '../run/apply/exit-code.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';
import type { CommandEnd } from './run-command.ts';
import { fileProblems } from './validate-mode.ts';

/** The path of the plan file. */
export function planPathOf({ inputs, folder, runner }: Job): string {
  const usual = join(runner.io.env['RUNNER_TEMP'] || folder, `rampart-${inputs.key}.plan.json`);
  return inputs.planPath === undefined ? usual : resolve(folder, inputs.planPath);
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
    return {
      exitCode: end.code,
      problems: [...more, ...(await fileProblems(job))],
      markdown: (limit) => noPlan(end, limit),
      outputs: {},
    };
  }
  const html = await writeHtml(job, plan);
  return {
    exitCode: exitWithoutRecord(detailed(end.code, plan), html.problems),
    plan,
    problems: [...more, ...plan.problems, ...html.problems],
    markdown: (limit) =>
      paintMarkdown(toRows(plan), { limit, ...reviewLinks(job.runner.io.env, job.folder) }),
    outputs: { ...planOutputs(plan), 'plan-path': path, ...html.outputs },
  };
}

async function writtenPlan(path: string): Promise<Plan | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const plan = readPlan(text, path);
  return plan.ok ? plan.value : undefined;
}

function detailed(code: ExitCode, plan: Plan): ExitCode {
  const differs = plan.steps.length > 0 || plan.summary.installsInDoubt > 0;
  return code === exitCodes.success && differs ? exitCodes.changes : code;
}

function planOutputs(plan: Plan): Readonly<Record<string, string>> {
  const { rename, move, antivirus, delete: deletions } = plan.summary;
  const counts = { renames: rename, moves: move, installs: antivirus, deletions };
  return {
    changes: String(rename + move + antivirus + deletions),
    ...Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, String(count)])),
    ...pendingOutputs({
      inProgress: plan.summary.installsInProgress,
      inDoubt: plan.summary.installsInDoubt,
    }),
    checksum: planChecksum(plan),
  };
}

/** Installs that no read shows yet. */
export interface PendingCounts {
  readonly inProgress: number;
  readonly inDoubt: number;
}

export function pendingOutputs({ inProgress, inDoubt }: PendingCounts): Readonly<Record<string, string>> {
  return { 'installs-in-progress': String(inProgress), 'installs-in-doubt': String(inDoubt) };
}

async function writeHtml(
  { inputs, folder, redaction, runner }: Job,
  plan: Plan,
): Promise<Pick<Outcome, 'problems' | 'outputs'>> {
  if (inputs.htmlPath === undefined) return { problems: [], outputs: {} };
  const path = resolve(folder, inputs.htmlPath);
  const html = paintHtml(toRows(plan), pageOrigin(runner.io.env));
  const written = await writeWhole(path, inputs.htmlPath, redaction.redact(html));
  return written.ok
    ? { problems: [], outputs: { 'html-path': path } }
    : { problems: written.problems, outputs: {} };
}

function noPlan({ text }: CommandEnd, limit: number): string {
  const head = '## Rampart plan\n\n**No plan could be made.**\n\n';
  return head + fenced(text, limit - head.length);
}
