import { type Problem, problem } from '../../core/problem/problem.ts';
import { git } from '../../run/state/origin/git.ts';
import type { Job } from './job.ts';

const usualFolder = '.rampart';

/**
 * Why the records of earlier runs can't be trusted: the change under review brought them. Forged records could replace
 * the reviewed plans of a roll-out that an apply continues, or show it as done.
 */
export async function stateInCheckout({ runner, inputs, folder }: Job): Promise<readonly Problem[]> {
  const stateDir = stateDirIn(inputs.flags) ?? usualFolder;
  const tracked = await git(['ls-files', '-z', '--', `:(literal)${stateDir}`], {
    cwd: folder,
    env: runner.io.env,
  });
  const [first] = tracked?.toString('utf8').split('\0', 1) ?? [];
  if (first === undefined || first === '') return [];
  return [
    problem('not-approved', `the records of earlier runs are part of the repository: ${first}`, {
      hint: `remove the folder ${stateDir} from the repository, and add it to .gitignore`,
    }),
  ];
}

function stateDirIn(flags: readonly string[]): string | undefined {
  const index = flags.findLastIndex((each) => /^--state-dir(?:=|$)/.test(each));
  if (index < 0) return undefined;
  return flags[index]?.split('=').slice(1).join('=') || flags[index + 1];
}
