import { exitCodes } from '../run/apply/exit-code.ts';
import type { Job } from './job.ts';
import { type Outcome, textOutcome } from './outcome.ts';
import { observedFlag, runCommand, stateFlags } from './run-command.ts';

/** Writes what people changed in the fleet into the files of the checkout. A later step opens a pull request. */
export async function adoptMode(job: Job): Promise<Outcome> {
  const argv = ['import', 'drift', ...stateFlags(job), ...observedFlag(job), '--', ...job.inputs.hosts];
  const end = await runCommand(argv, job);
  const note = end.code === exitCodes.success ? '' : '**Not every change was adopted.**\n\n';
  return textOutcome(end.code, `## Rampart adopt\n\n${note}`, end.text);
}
