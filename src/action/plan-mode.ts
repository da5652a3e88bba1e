import { baseFlags } from './base-flags.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';
import { freshPlanPath, planOutcome } from './plan-outcome.ts';
import { runCommand, stateFlags } from './run-command.ts';

export async function planMode(job: Job): Promise<Outcome> {
  const { observed } = job.inputs;
  const path = await freshPlanPath(job);
  const base = await baseFlags(job);
  const argv = [
    'plan',
    ...stateFlags(job),
    ...base.flags,
    ...(observed === undefined ? [] : [`--observed=${observed}`]),
    `--out=${path}`,
    ...(job.inputs.sign ? ['--sign'] : []),
  ];
  return planOutcome(job, await runCommand(argv, job), path, base.problems);
}
