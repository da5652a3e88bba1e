import { foreignCode } from '../cli/trust/foreign-code.ts';
import { type Problem, problem } from '../core/problem/problem.ts';
import { loadSources } from '../input/sources/find-files.ts';
import { isScript } from '../input/sources/is-script.ts';
import type { Job } from './job.ts';

const hint =
  'an untrusted change is planned only from YAML and never applied; trust-forks: true is for jobs without secrets';

/** Limits what code of strangers can cause: programs are not run, and nothing is applied. */
export async function distrusted({ runner, inputs, folder }: Job): Promise<readonly Problem[]> {
  const why = foreignCode(runner.io.env);
  if (why === null) return [];
  const problems: Problem[] = [];
  if (inputs.mode === 'apply' || inputs.mode === 'adopt') {
    const done = inputs.mode === 'apply' ? 'applied' : 'adopted';
    problems.push(problem('not-approved', `nothing is ${done}: ${why}`, { hint }));
  }
  const sources = await loadSources(inputs.files, folder);
  // The command itself reports what can't be found or read.
  const scripts = sources.ok ? sources.value.map(({ file }) => file).filter(isScript) : [];
  for (const file of scripts) {
    problems.push(
      problem('not-approved', `${file} is a program and is not run: ${why}`, {
        place: { file, line: 1, col: 1 },
        hint,
      }),
    );
  }
  return problems;
}
