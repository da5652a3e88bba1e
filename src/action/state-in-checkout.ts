import type { Problem } from '../core/problem/problem.ts';
import { trackedRecords } from '../run/state/origin/tracked-records.ts';
import type { Job } from './job.ts';

const usualFolder = '.rampart';

/** Why an apply can't trust the records of earlier runs in the checkout. */
export function stateInCheckout({ runner, inputs, folder }: Job): Promise<readonly Problem[]> {
  return trackedRecords(stateDirIn(inputs.flags) ?? usualFolder, { cwd: folder, env: runner.io.env });
}

function stateDirIn(flags: readonly string[]): string | undefined {
  const index = flags.findLastIndex((each) => /^--state-dir(?:=|$)/.test(each));
  if (index < 0) return undefined;
  return flags[index]?.split('=').slice(1).join('=') || flags[index + 1];
}
