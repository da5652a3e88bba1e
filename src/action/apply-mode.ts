import { type ExitCode, exitCodeOf, exitCodes } from '../cli/shell/exit-code.ts';
import { problem } from '../problem/problem.ts';
import type { Result } from '../problem/result.ts';
import { plainColour } from '../review/colour.ts';
import { renderProblems } from '../review/problem-text.ts';
import { fenced } from './fenced.ts';
import type { Github } from './github.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';
import { freshPlanPath, planOutcome } from './plan-outcome.ts';
import { checksumToApply } from './reviewed-checksum.ts';
import { runCommand, stateFlags } from './run-command.ts';

const logLimit = 60_000;
const title = '## Rampart apply\n\n';

/** Carries out the plan that was reviewed, and no other. */
export async function applyMode(job: Job, github: () => Result<Github>): Promise<Outcome> {
  if (job.inputs.observed !== undefined) return refused(job, [noSnapshot]);
  const checksum = await checksumToApply(job, github);
  if (!checksum.ok) return refused(job, checksum.problems);
  const path = await freshPlanPath(job);
  const argv = ['apply', ...stateFlags(job), `--checksum=${checksum.value}`, `--out=${path}`];
  const end = await runCommand(argv, job, { readOnly: false });
  const made = await planOutcome(job, end, path);
  return {
    ...made,
    exitCode: end.code,
    markdown: (limit) => {
      const head = `${title}**${words(end.code)}**\n\n`;
      const log = `\n### The log\n\n${fenced(end.text, Math.min(logLimit, limit / 2))}`;
      return made.plan === undefined
        ? head + log.trimStart()
        : head + made.markdown(limit - head.length - log.length) + log;
    },
  };
}

const noSnapshot = problem('usage', 'an apply works on the live fleet', {
  hint: 'leave out the input observed',
});

function refused({ runner }: Job, problems: Outcome['problems']): Outcome {
  const text = renderProblems(problems, { colour: plainColour });
  runner.io.stderr.write(text);
  const head = `${title}**Nothing was changed.**\n\n`;
  return {
    exitCode: exitCodeOf(problems),
    problems,
    markdown: (limit) => head + fenced(text, limit - head.length),
    outputs: {},
  };
}

function words(code: ExitCode): string {
  switch (code) {
    case exitCodes.success:
      return 'Done: the fleet is as the plan says.';
    case exitCodes.stale:
      return 'Nothing was changed: this is not the plan that was reviewed, or its hosts have moved since.';
    case exitCodes.refused:
      return 'Nothing was changed: the plan is refused.';
    case exitCodes.incomplete:
      return 'Incomplete: some steps are left.';
    case exitCodes.unverified:
      return 'Everything was done, and the fleet still differs from the plan.';
    case exitCodes.interrupted:
      return 'Interrupted at a safe point: the next run goes on from there.';
    case exitCodes.error:
    case exitCodes.changes:
    case exitCodes.invalid:
    case exitCodes.authentication:
      return `It ended with exit code ${code}: see the log.`;
  }
}
