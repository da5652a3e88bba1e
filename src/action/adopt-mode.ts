import { fenced } from '../output/review/fenced.ts';
import { exitCodes } from '../run/apply/exit-code.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';
import { runCommand, stateFlags } from './run-command.ts';

const title = '## Rampart adopt\n\n';

/** Writes what people changed in the fleet into the files of the checkout. A later step opens a pull request. */
export async function adoptMode(job: Job): Promise<Outcome> {
  const { observed, hosts } = job.inputs;
  const argv = [
    'import',
    'drift',
    ...stateFlags(job),
    ...(observed === undefined ? [] : [`--observed=${observed}`]),
    '--',
    ...hosts,
  ];
  const end = await runCommand(argv, job);
  const head = end.code === exitCodes.success ? title : `${title}**Not every change was adopted.**\n\n`;
  return {
    exitCode: end.code,
    problems: [],
    markdown: (limit) => head + fenced(end.text, limit - head.length),
    outputs: {},
  };
}
