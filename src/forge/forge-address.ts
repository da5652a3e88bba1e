import { failed, ok, problem, type Result } from '../core/problem/problem.ts';
import type { PullForgeKind } from './forge.ts';

/** A repository on a forge. */
export interface ForgeAddress {
  readonly kind: PullForgeKind;
  /** The host in the address of the repository. */
  readonly host: string;
  /** The address of its REST API, without a slash at the end; at Azure DevOps that of the project. */
  readonly api: string;
  /** `owner/name`; at GitLab also `group/subgroup/name`, at Azure DevOps `name`. */
  readonly repository: string;
}

const known: Readonly<Record<string, PullForgeKind>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'dev.azure.com': 'azure',
  'bitbucket.org': 'bitbucket',
};

/** The name of the forge, and the path of a repository on it. */
const forges: Readonly<Record<PullForgeKind, { readonly name: string; readonly path: RegExp }>> = {
  github: { name: 'GitHub', path: /^[\w.-]+\/[\w.-]+$/ },
  gitlab: { name: 'GitLab', path: /^[\w.-]+(?:\/[\w.-]+)+$/ },
  azure: { name: 'Azure DevOps', path: /^(?:[\w.%-]+\/)+_git\/[\w.%-]+$/ },
  bitbucket: { name: 'Bitbucket', path: /^[\w.-]+\/[\w.-]+$/ },
};

/** The repository at an address for Git. The kind and the API are those that the host usually has if absent. */
export function forgeAt(
  url: URL,
  { kind = known[url.hostname], api }: { readonly kind?: PullForgeKind; readonly api?: string },
): Result<ForgeAddress> {
  const { hostname: host } = url;
  if (kind === undefined)
    return failed(
      problem('configuration', `the forge at ${host} is unknown`, {
        hint: 'add forge: github, gitlab, azure or bitbucket',
      }),
    );
  const repository = url.pathname.replace(/^\/+/, '').replace(/(?:\.git)?\/*$/, '');
  const { name, path } = forges[kind];
  if (!path.test(repository))
    return failed(problem('configuration', `the address is not that of a repository on ${name}`));
  if (kind !== 'azure') return ok({ kind, host, api: api ?? usualApi(kind, host), repository });
  const [project = '', own = ''] = repository.split('/_git/');
  return ok({ kind, host, api: api ?? `https://${host}/${project}`, repository: decodeURIComponent(own) });
}

/** The API of the forge that serves a host. */
function usualApi(kind: Exclude<PullForgeKind, 'azure'>, host: string): string {
  switch (kind) {
    case 'gitlab':
      return `https://${host}/api/v4`;
    case 'github':
      return host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`;
    case 'bitbucket':
      return `https://api.${host}/2.0`;
  }
}
