import { rm } from 'node:fs/promises';
import { openPlans, type PlansIndex } from '../accounts/plans/plans-index.ts';
import { count, quoted } from '../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../core/problem/problem.ts';
import type { Github } from '../forge/github.ts';
import { fenced } from '../output/review/fenced.ts';
import { type ExitCode, exitCodes } from '../run/apply/exit-code.ts';
import { indexOutputs, plansFolderOfJob } from './accounts-mode.ts';
import { checksumToApply, refusedApply } from './apply-mode.ts';
import type { Job, Outcome } from './job.ts';
import { runCommand, takeDocument } from './run-command.ts';

const logLimit = 60_000;
const title = '## Rampart rollout\n\n';

/**
 * Applies the reviewed plans of several accounts in waves, and no others. A rollout of the same plans that an earlier
 * job started is continued.
 */
export async function rolloutMode(
  job: Job,
  accounts: string,
  github: () => Result<Github>,
): Promise<Outcome> {
  const checksum = await checksumToApply(job, github);
  if (!checksum.ok) return refusedApply(job, checksum.problems);
  const folder = plansFolderOfJob(job);
  const index = await reviewedIndex(folder, checksum.value, accounts);
  if (!index.ok) return refusedApply(job, index.problems);
  const summaryPath = `${folder}.summary`;
  await rm(summaryPath, { force: true });
  const argv = [
    'apply',
    folder,
    `--checksum=${checksum.value}`,
    '--continue',
    ...job.inputs.flags,
    `--summary-out=${summaryPath}`,
  ];
  const end = await runCommand(argv, job, { readOnly: false });
  // Absent if no rollout was started or continued.
  const summary = await takeDocument<Summary>(summaryPath);
  const head = `${title}**${words(end.code, summary)}**\n\n`;
  return {
    exitCode: end.code,
    index: index.value,
    problems: [],
    outputs: {
      ...indexOutputs(index.value),
      'plan-path': folder,
      ...(summary === undefined ? {} : { 'rollout-id': summary.rollout_id }),
    },
    markdown: (limit) => {
      const room = limit - head.length;
      const found = end.out === '' ? '' : `${fenced(end.out, Math.floor(room / 2), 'start')}\n`;
      return `${head}${found}### The log\n\n${fenced(end.err, Math.min(logLimit, room - found.length - 20))}`;
    },
  };
}

/** The index of the folder, if it is the one that was reviewed, and made for the accounts of this job. */
async function reviewedIndex(
  folder: string,
  checksum: string,
  accounts: string,
): Promise<Result<PlansIndex>> {
  const plans = await openPlans(folder, folder);
  if (!plans.ok) return failed(...plans.problems.map((each) => ({ ...each, hint: downloadHint })));
  const { index } = plans.value;
  if (index.checksum !== checksum) {
    return failed(
      problem('stale-plan', `these are not the reviewed plans: their checksum is ${index.checksum}`, {
        hint: 'comment /rampart plan, and have the new plans reviewed',
      }),
    );
  }
  const { names, where } = index.review.selector;
  if (where === accounts && names.length === 0) return ok(index);
  const made = where === null ? 'other accounts' : `the accounts ${quoted(where)}`;
  return failed(
    problem('not-approved', `the plans are for ${made}, and this job is for ${quoted(accounts)}`, {
      hint: 'use the same input accounts in the job that plans and in the one that applies',
    }),
  );
}

const downloadHint =
  'keep the folder of the output plan-path as an artifact, download it in this job, and set plan-path to it';

interface Summary {
  readonly rollout_id: string;
  readonly totals: Readonly<Record<'done' | 'failed' | 'pending' | 'running' | 'skipped', number>>;
}

function words(code: ExitCode, summary: Summary | undefined): string {
  if (summary === undefined)
    return code === exitCodes.stale
      ? 'Nothing was changed: these are not the reviewed plans.'
      : `Nothing was changed. The command ended with exit code ${code}: see the log.`;
  const { done, failed: failures, pending, running } = summary.totals;
  const left = pending + running;
  const counts = [
    `${count(done, 'account')} done`,
    ...(failures === 0 ? [] : [`${failures} failed`]),
    ...(left === 0 ? [] : [`${left} not started`]),
  ].join(', ');
  if (code === exitCodes.success) return `Done: ${counts}. Each fleet matches its plan.`;
  return `Not done (exit code ${code}): ${counts}. Apply the same plans again to continue with the accounts that are not done, or plan again.`;
}
