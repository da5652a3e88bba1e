import { rm } from 'node:fs/promises';
import { openPlans, type PlansIndex } from '../accounts/plans/plans-index.ts';
import { paintPlansHtml } from '../output/page/plans-html.ts';
import { fenced } from '../output/review/fenced.ts';
import { paintPlansMarkdown } from '../output/review/plans-markdown.ts';
import { toPlansRows } from '../output/review/plans-rows.ts';
import { exitWithoutRecord } from '../run/apply/exit-code.ts';
import { changedSince } from './base-flags.ts';
import { countOutputs, type Job, type Outcome, textOutcome } from './job.ts';
import { writePage } from './plan-mode.ts';
import { type CommandEnd, keptPath, runCommand, stateFlags } from './run-command.ts';

/** Plans the selected accounts that the change touches, with one review for all. The folder of plans is kept. */
export async function accountsMode(job: Job): Promise<Outcome> {
  const since = await changedSince(job);
  const folder = plansFolderOfJob(job);
  // Only the default folder is emptied: an earlier step may have left plans there.
  if (job.inputs.planPath === undefined) await rm(folder, { recursive: true, force: true });
  const argv = [
    'plan',
    ...stateFlags(job),
    ...(since === undefined ? [] : [`--changed-since=${since}`]),
    '--detailed-exitcode',
    `--out=${folder}`,
    ...(job.inputs.sign ? ['--sign'] : []),
  ];
  const end = await runCommand(argv, job);
  const plans = await openPlans(folder, folder);
  if (!plans.ok) return textOutcome(end.code, '## Rampart plan\n\n', end.text);
  const { index } = plans.value;
  const page = await writePage(job, () => paintPlansHtml(toPlansRows(index.review)));
  return {
    exitCode: exitWithoutRecord(end.code, page.problems),
    index,
    problems: page.problems,
    markdown: (limit) => review(index, touchedWords(end), limit),
    outputs: { ...indexOutputs(index), 'plan-path': folder, ...page.outputs },
  };
}

/** The folder of the plans of several accounts: where a plan writes them, and where an apply expects them. */
export function plansFolderOfJob(job: Job): string {
  return keptPath(job, 'plans');
}

/** The outputs for the sums over all accounts, and the checksum of the index. */
export function indexOutputs({ review, checksum }: PlansIndex): Outcome['outputs'] {
  return { ...countOutputs(review.totals.summary), checksum };
}

/** The lines of the log that say which changed file touches which accounts. */
function touchedWords({ text }: CommandEnd): string {
  return /^The files changed since .*\n(?: {2}.*\n)*/m.exec(text)?.[0] ?? '';
}

/** The review, above the files that touch accounts. They get at most a quarter of the space. */
function review(index: PlansIndex, touched: string, limit: number): string {
  const foot = touched === '' ? '' : `\n\n${fenced(touched, Math.floor(limit / 4), 'start')}`;
  return paintPlansMarkdown(toPlansRows(index.review), { limit: limit - foot.length }) + foot;
}
