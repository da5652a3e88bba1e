import { type Problem, problem } from '../../../core/problem/problem.ts';
import { type GitOptions, git } from './git.ts';

/**
 * Why the records of earlier runs in a folder can't be trusted: they are part of the repository, so the change under
 * review may have brought them. Forged records could replace the reviewed plans of a roll-out that an apply continues, or
 * show it as done.
 */
export async function trackedRecords(
  stateDir: string,
  options: Pick<GitOptions, 'cwd' | 'env'>,
): Promise<readonly Problem[]> {
  const tracked = await git(['ls-files', '-z', '--', `:(literal)${stateDir}`], options);
  const [first] = tracked?.toString('utf8').split('\0', 1) ?? [];
  if (first === undefined || first === '') return [];
  return [
    problem('not-approved', `the records of earlier runs are part of the repository: ${first}`, {
      hint: `remove the folder ${stateDir} from the repository, and add it to .gitignore`,
    }),
  ];
}
