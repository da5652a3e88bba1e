import { spawnSync } from 'node:child_process';
import type { Environment } from '../../../core/lib/surroundings.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { gitVariables } from './git-process.ts';

/** Older ones do not report all of their failures to Rampart. */
const oldest = [2, 37] as const;

/** Why the Git of this machine can't read sources; undefined if it can. */
export function gitVersionProblem(env: Environment): Problem | undefined {
  const ended = spawnSync('git', ['--version'], {
    encoding: 'utf8',
    timeout: 10_000,
    env: gitVariables(env),
  });
  const hint = `install Git ${oldest.join('.')} or later, or use a folder as the source`;
  const found = /^git version (\d+)\.(\d+)/.exec(ended.stdout ?? '');
  if (found === null)
    return problem('configuration', "Git can't be started, and a source needs it", { hint });
  const [major, minor] = [Number(found[1]), Number(found[2])];
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined;
  return problem('configuration', `Git ${major}.${minor} is too old for sources`, { hint });
}
