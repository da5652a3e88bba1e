import { rm } from 'node:fs/promises';
import { pendingCounts } from '../core/plan/intents/pending-installs.ts';
import type { PendingCounts } from '../core/plan/types/plan.ts';
import { failed, ok, problem, type Result } from '../core/problem/problem.ts';
import type { Github } from '../forge/github.ts';
import { mergedAs, reviewedPlan } from '../forge/put-comment.ts';
import { fenced } from '../output/review/fenced.ts';
import { pendingCount } from '../output/review/pending-words.ts';
import { plainProblems } from '../output/review/problem-text.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../run/apply/exit-code.ts';
import { requiredSigners } from '../run/signature/required-signers.ts';
import { type Job, type Outcome, pendingOutputs, textOutcome } from './job.ts';
import { freshPlanPath, planOutcome, planPathOf } from './plan-mode.ts';
import { accountFlag, runCommand, stateFlags, takeDocument } from './run-command.ts';

const logLimit = 60_000;
const title = '## Rampart apply\n\n';

/** Applies the reviewed plan, and no other: planned again, or from a file of an earlier job if it must be signed. */
export async function applyMode(job: Job, github: () => Result<Github>): Promise<Outcome> {
  if (job.inputs.observed !== undefined) return refusedApply(job, [noSnapshot]);
  const checksum = await checksumToApply(job, github);
  if (!checksum.ok) return refusedApply(job, checksum.problems);
  // A new plan would have no signature.
  const isSigned = requiredSigners(job.runner.io.env) !== undefined;
  const path = isSigned ? planPathOf(job) : await freshPlanPath(job);
  const summaryPath = `${path}.summary`;
  await rm(summaryPath, { force: true });
  const argv = [
    'apply',
    ...(isSigned ? [path, ...accountFlag(job)] : [...stateFlags(job), `--out=${path}`]),
    `--checksum=${checksum.value}`,
    `--summary-out=${summaryPath}`,
  ];
  const end = await runCommand(argv, job, { readOnly: false });
  const made = await planOutcome(job, end, path);
  const pending = await pendingIn(summaryPath);
  return {
    ...made,
    // Its code 2 means a plan with changes, which have been made by now.
    exitCode: made.exitCode === exitCodes.changes ? end.code : made.exitCode,
    outputs: { ...made.outputs, ...(pending === undefined ? {} : pendingOutputs(pending)) },
    markdown: (limit) => {
      const head = `${title}**${words(end.code, pending)}**\n\n`;
      const log = `\n### The log\n\n${fenced(end.text, Math.min(logLimit, limit / 2))}`;
      return made.plan === undefined
        ? head + log.trimStart()
        : head + made.markdown(limit - head.length - log.length) + log;
    },
  };
}

const noSnapshot = problem('usage', 'apply works only on the live fleet', {
  hint: 'remove the input "observed"',
});

/** The outcome of an apply that changed nothing. */
export function refusedApply({ runner }: Job, problems: Outcome['problems']): Outcome {
  const text = plainProblems(problems);
  runner.io.stderr.write(text);
  return textOutcome(exitCodeOf(problems), `${title}**Nothing was changed.**\n\n`, text, { problems });
}

/** Undefined if there was no run. */
async function pendingIn(path: string): Promise<PendingCounts | undefined> {
  type Summary = Readonly<Record<'installs_in_progress' | 'installs_in_doubt', readonly string[]>>;
  const summary = await takeDocument<Summary>(path);
  return (
    summary && {
      installsInProgress: summary.installs_in_progress.length,
      installsInDoubt: summary.installs_in_doubt.length,
    }
  );
}

function words(
  code: ExitCode,
  { installsInProgress: inProgress, installsInDoubt: inDoubt }: PendingCounts = pendingCounts([]),
): string {
  switch (code) {
    case exitCodes.success:
      return inProgress === 0
        ? 'Done: the fleet matches the plan.'
        : `Every step is done. ${pendingCount(inProgress, 'in-progress')}, which no read shows yet.`;
    case exitCodes.stale:
      return 'Nothing was changed: this is not the reviewed plan, or its hosts have changed since the plan.';
    case exitCodes.refused:
      return 'Nothing was changed: the plan was refused.';
    case exitCodes.incomplete:
      return inDoubt === 0
        ? 'Incomplete: some steps are left.'
        : `Incomplete: ${pendingCount(inDoubt, 'in-doubt')}, which may have been requested. See the log for steps that are left.`;
    case exitCodes.unverified:
      return 'Every step is done, but the fleet still differs from the plan, or a record could not be written: see the log.';
    case exitCodes.interrupted:
      return 'Interrupted at a safe point: the next run continues from there.';
    case exitCodes.error:
    case exitCodes.changes:
    case exitCodes.invalid:
    case exitCodes.authentication:
      return `The run ended with exit code ${code}: see the log.`;
  }
}

const hint = 'have the plan reviewed, then run this again with its checksum as the input "checksum"';

/** The checksum of the approved plan: as given in the input, or as shown in the comment on the merged pull request. */
export async function checksumToApply(
  { inputs, event }: Job,
  github: () => Result<Github>,
): Promise<Result<string>> {
  if (inputs.checksum !== undefined) return ok(inputs.checksum);
  if (event.kind === 'pull-request' && !event.merged) {
    return failed(problem('not-approved', `pull request ${event.number} is not merged`, { hint }));
  }
  if (event.kind !== 'pull-request' && event.kind !== 'push') {
    return failed(problem('not-approved', 'no plan was reviewed for this run', { hint }));
  }
  const api = github();
  if (!api.ok) return api;
  const merged = event.kind === 'push' ? await mergedAs(event.commit, api.value) : ok(event.number);
  if (!merged.ok) return merged;
  if (merged.value === undefined) {
    return failed(
      problem('not-approved', 'this commit is not the merge of a pull request, so no plan was reviewed', {
        hint,
      }),
    );
  }
  const plan = await reviewedPlan(api.value.commentsOn(merged.value), inputs.key);
  if (!plan.ok) return plan;
  if (plan.value !== null) return ok(plan.value.checksum);
  return failed(
    problem(
      'not-approved',
      `pull request ${merged.value} has no Rampart comment with a plan that can be applied (comment-key ${inputs.key})`,
      { hint },
    ),
  );
}
