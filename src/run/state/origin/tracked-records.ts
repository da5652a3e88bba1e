import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { type GitOptions, git } from './git.ts';
import { repositoryAt } from './linked-folder.ts';

/**
 * Why the records of earlier runs in a folder can't be trusted: they are part of the repository, so the change under
 * review may have brought them. Forged records could replace the reviewed plans of a rollout that an apply continues, or
 * show it as done.
 */
export async function trackedRecords(
  stateDir: string,
  options: Pick<GitOptions, 'cwd' | 'env'>,
): Promise<readonly Problem[]> {
  const named = resolve(options.cwd, stateDir);
  // Git lists nothing below a link, which can lead to another folder of the repository. Some file systems take .Rampart
  // for .rampart.
  const folders = new Set([named, await realpath(named).catch(() => named)]);
  for (const folder of folders) {
    const root = repositoryAt(dirname(folder));
    if (root === undefined) continue;
    const tracked = await git(['ls-files', '-z', '--', `:(literal,icase)${folder}`], {
      ...options,
      cwd: root,
    });
    const first = tracked?.toString('utf8').split('\0', 1)[0];
    if (first === '') continue;
    return [
      first === undefined
        ? problem('not-approved', `Git can't list which records of earlier runs are part of the repository`, {
            hint: `check that "git ls-files ${stateDir}" works here: Git may be missing, or not trust the owner of the folder`,
          })
        : problem('not-approved', `the records of earlier runs are part of the repository: ${first}`, {
            hint: `remove the folder ${stateDir} from the repository, and add it to .gitignore`,
          }),
    ];
  }
  return [];
}
