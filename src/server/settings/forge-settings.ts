import type { ConfigSection } from '../../accounts/config/setting.ts';
import type { PullForgeKind } from '../../forge/forge.ts';
import type { ForgeSettings, SecretSource } from './server-settings.ts';

interface Given {
  readonly forge?: PullForgeKind;
  readonly forgeApi?: string;
  readonly token: SecretSource | undefined;
}

const known: Readonly<Record<string, PullForgeKind>> = {
  'github.com': 'github',
  'gitlab.com': 'gitlab',
  'dev.azure.com': 'azure',
  'bitbucket.org': 'bitbucket',
};

/** What the forge is called, and the path of a repository on it. */
const forges: Readonly<Record<PullForgeKind, { readonly name: string; readonly path: RegExp }>> = {
  github: { name: 'GitHub', path: /^[\w.-]+\/[\w.-]+$/ },
  gitlab: { name: 'GitLab', path: /^[\w.-]+(?:\/[\w.-]+)+$/ },
  azure: { name: 'Azure DevOps', path: /^(?:[\w.%-]+\/)+_git\/[\w.%-]+$/ },
  bitbucket: { name: 'Bitbucket', path: /^[\w.-]+\/[\w.-]+$/ },
};

/** The forge of a Git repository, if the settings have a token that may write to it. */
export function forgeSettingsOf(
  git: string,
  { forge, forgeApi, token }: Given,
  at: ConfigSection,
): ForgeSettings | undefined | 'refused' {
  if (token === undefined) {
    if (forge === undefined && forgeApi === undefined) return undefined;
    at.refuse(
      forge === undefined ? 'forgeApi' : 'forge',
      'reporting to a forge needs "forgeTokenFile" or "forgeTokenVariable"',
    );
    return 'refused';
  }
  const url = new URL(git);
  const kind = forge ?? known[url.hostname];
  if (kind === undefined) {
    at.refuse(
      'git',
      `the forge at ${url.hostname} is unknown`,
      'add forge: github, gitlab, azure or bitbucket',
    );
    return 'refused';
  }
  const repository = url.pathname.replace(/^\/+/, '').replace(/(?:\.git)?\/*$/, '');
  const { name, path } = forges[kind];
  if (!path.test(repository)) {
    at.refuse('git', `the address names no repository of ${name}`);
    return 'refused';
  }
  const { hostname: host } = url;
  const common = { kind, host, token };
  if (kind !== 'azure') return { ...common, api: forgeApi ?? usualApi(kind, host), repository };
  const [project = '', own = ''] = repository.split('/_git/');
  return { ...common, api: forgeApi ?? `https://${host}/${project}`, repository: decodeURIComponent(own) };
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
