import { loadSources } from '../desired/sources/find-files.ts';
import { isScript } from '../desired/typescript/is-script.ts';
import { type Problem, problem } from '../problem/problem.ts';
import type { Job } from './job.ts';

const hint =
  'a change of a fork is planned from YAML, on a snapshot; trust-forks: true is for jobs without secrets';

/** What a change from a fork may not bring about: its author is a stranger. */
export async function distrusted({ event, inputs, folder }: Job): Promise<readonly Problem[]> {
  if (event.kind !== 'pull-request' || !event.fork || inputs.trustForks) return [];
  const problems: Problem[] = [];
  if (inputs.mode === 'apply') {
    problems.push(problem('not-approved', 'a pull request of a fork is not applied', { hint }));
  }
  if (inputs.profile !== undefined) {
    const message = 'the profile is in a file of a fork, which may name another service for the key';
    problems.push(problem('not-approved', message, { hint }));
  }
  const sources = await loadSources(inputs.files, folder);
  // What can't be found or read is told by the command itself.
  const scripts = sources.ok ? sources.value.map(({ file }) => file).filter(isScript) : [];
  for (const file of scripts) {
    problems.push(
      problem('not-approved', `${file} is a program of a fork, and is not run`, {
        place: { file, line: 1, col: 1 },
        hint,
      }),
    );
  }
  return problems;
}
