import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
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
  // Git lists nothing below a link, which can lead to another folder of the repository.
  const real = await realpath(resolve(options.cwd, stateDir)).catch(() => stateDir);
  const first = (await firstTracked(stateDir, options)) ?? (await firstTracked(real, options));
  if (first === undefined) return [];
  return [
    problem('not-approved', `the records of earlier runs are part of the repository: ${first}`, {
      hint: `remove the folder ${stateDir} from the repository, and add it to .gitignore`,
    }),
  ];
}

async function firstTracked(
  folder: string,
  options: Pick<GitOptions, 'cwd' | 'env'>,
): Promise<string | undefined> {
  const tracked = await git(['ls-files', '-z', '--', `:(literal)${folder}`], options);
  return tracked?.toString('utf8').split('\0', 1)[0] || undefined;
}
