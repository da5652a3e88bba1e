import type { Io } from '../cli/shell/io.ts';
import { once } from '../core/lib/once.ts';
import { problem } from '../core/problem/problem.ts';
import { failed, ok, type Result } from '../core/problem/result.ts';
import { type ConnectedForge, connectForge } from '../forge/connect-forge.ts';
import { createGithub, type Github } from '../forge/github.ts';
import type { Inputs } from './inputs.ts';

/** GitHub, for the repository of this workflow. It is connected on first use. */
export function githubOf({ token }: Pick<Inputs, 'token'>, io: Pick<Io, 'env' | 'clock'>) {
  let connected: ConnectedForge<Github> | undefined;
  const open = once((): Result<Github> => {
    const place = placeOf(token, io.env);
    if (!place.ok) return place;
    const made = connectForge(createGithub, place.value, io);
    if (!made.ok) return made;
    connected = made.value;
    return ok(connected.forge);
  });
  return { open, close: async () => connected?.close() };
}

function placeOf(token: Inputs['token'], env: Io['env']) {
  if (token === undefined) {
    return failed(problem('missing-credentials', 'the input github-token is empty', { hint: 'remove it' }));
  }
  const project = env['GITHUB_REPOSITORY'] ?? '';
  if (!/^[^/]+\/[^/]+$/.test(project)) {
    return failed(
      problem('configuration', 'GITHUB_REPOSITORY does not contain a repository', {
        hint: 'GitHub Actions sets it',
      }),
    );
  }
  return ok({ api: env['GITHUB_API_URL'] || 'https://api.github.com', project, token });
}
