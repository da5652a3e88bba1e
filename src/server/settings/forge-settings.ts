import type { Section } from '../../accounts/config/setting.ts';
import type { ForgeKind } from '../../forge/forge.ts';
import type { ForgeSettings, SecretSource } from './server-settings.ts';

interface Given {
  readonly forge?: ForgeKind;
  readonly forgeApi?: string;
  readonly token: SecretSource | undefined;
}

const known: Readonly<Record<string, ForgeKind>> = { 'github.com': 'github', 'gitlab.com': 'gitlab' };

/** The forge of a Git repository, if the settings have a token that may write to it. */
export function forgeSettingsOf(
  git: string,
  { forge, forgeApi, token }: Given,
  at: Section,
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
    at.refuse('git', `the forge at ${url.hostname} is unknown`, 'add forge: github or forge: gitlab');
    return 'refused';
  }
  const repository = url.pathname.replace(/^\/+/, '').replace(/(?:\.git)?\/*$/, '');
  const isKnown = kind === 'github' ? /^[\w.-]+\/[\w.-]+$/ : /^[\w.-]+(?:\/[\w.-]+)+$/;
  if (!isKnown.test(repository)) {
    at.refuse('git', `the address names no repository of ${kind === 'github' ? 'GitHub' : 'GitLab'}`);
    return 'refused';
  }
  return { kind, host: url.hostname, api: forgeApi ?? usualApi(kind, url.hostname), repository, token };
}

/** The API of the forge that serves a host. */
function usualApi(kind: ForgeKind, host: string): string {
  if (kind === 'gitlab') return `https://${host}/api/v4`;
  return host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`;
}
