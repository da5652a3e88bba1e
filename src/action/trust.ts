import { configRefVariable } from '../accounts/config/config-folder.ts';
import { foreignCode } from '../cli/trust/foreign-code.ts';
import type { Environment } from '../core/lib/surroundings.ts';
import { type Problem, problem } from '../core/problem/problem.ts';
import { loadSources } from '../input/sources/find-files.ts';
import { isScript } from '../input/sources/is-script.ts';
import { commitAt, type GitOptions, git } from '../run/state/origin/git.ts';
import type { Event } from './event.ts';
import type { Inputs } from './inputs.ts';
import type { Job } from './job.ts';

/**
 * The environment of the step, and the trusted configuration: rampart.config.yaml is read from a commit that does not
 * include the change under review, never from the checkout. A commit that the step names itself has precedence.
 */
export async function trustedEnvironment(
  env: Environment,
  { event, inputs, folder }: { readonly event: Event; readonly inputs: Inputs; readonly folder: string },
): Promise<Environment> {
  const ref = env[configRefVariable] || (await reviewedCommit(event, { cwd: folder, env }));
  return {
    ...env,
    CI: 'true',
    ...(inputs.trustForks ? { RAMPART_TRUST_FORKS: '1' } : {}),
    ...(ref === undefined ? {} : { [configRefVariable]: ref }),
  };
}

async function reviewedCommit(
  { reviewed, defaultBranch }: Event,
  options: { readonly cwd: string; readonly env: Environment },
): Promise<string | undefined> {
  if (reviewed !== undefined) {
    await hasCommit(reviewed, options);
    return reviewed;
  }
  if (defaultBranch === undefined) return undefined;
  const fetch = ['fetch', '--quiet', '--no-tags', '--depth=1', 'origin', `refs/heads/${defaultBranch}`];
  const isFetched = (await git(fetch, options)) !== undefined;
  // A commit that an earlier step fetched can be the change under review.
  const head = isFetched ? await commitAt('FETCH_HEAD', options) : undefined;
  return head ?? `refs/remotes/origin/${defaultBranch}`;
}

/** Is this commit in the checkout? A checkout usually has only one commit, so others are fetched. */
export async function hasCommit(commit: string, options: GitOptions): Promise<boolean> {
  if ((await commitAt(commit, options)) !== undefined) return true;
  return (await git(['fetch', '--quiet', '--no-tags', '--depth=1', 'origin', commit], options)) !== undefined;
}

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
