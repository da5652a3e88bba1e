import { isIP } from 'node:net';
import { isLoopback } from '../../../core/lib/loopback.ts';
import type { Environment } from '../../../core/lib/surroundings.ts';
import { quoted } from '../../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../../core/problem/problem.ts';
import type { AllowedAddress } from '../../../service/client/address-rules.ts';
import { resolveAllowed } from '../../../service/client/guarded-fetch.ts';
import { proxiesFor, proxyOnTheWay } from '../../../service/client/proxy.ts';
import type { GitSource } from '../../settings/server-settings.ts';
import { sshCommand } from './ssh-command.ts';

export interface GitAddress {
  readonly url: URL;
  readonly protocol: 'https' | 'http' | 'ssh';
  /** Settings that pin the connection to the resolved addresses. */
  readonly settings: readonly (readonly [string, string])[];
  /** How Git starts SSH; absent for other protocols. */
  readonly ssh?: string;
}

const ports = { https: '443', http: '80', ssh: '22' } as const;

/**
 * Checks an address and resolves its host, so that Git connects to the addresses that were checked. A proxy resolves
 * names itself. Plain HTTP leads only to this machine, which the operator must also allow.
 */
export async function openGitAddress(
  source: Pick<GitSource, 'name' | 'git' | 'ssh'>,
  { env, allow }: { readonly env: Environment; readonly allow: readonly AllowedAddress[] },
): Promise<Result<GitAddress>> {
  const wrong = (why: string) =>
    failed(
      problem('configuration', `the address of the source "${source.name}" ${why}: ${quoted(source.git)}`, {
        hint: 'write, for example, git: https://git.example.com/team/fleet.git',
      }),
    );
  const url = URL.parse(source.git);
  if (url === null || /[\p{Cc}\s]/u.test(source.git)) return wrong('is not an address');
  const protocol = url.protocol.slice(0, -1);
  if (protocol !== 'https' && protocol !== 'ssh' && !(protocol === 'http' && isLoopback(url.hostname))) {
    return wrong('must start with https:// or ssh://');
  }
  if (url.password !== '' || url.search !== '' || url.hash !== '') {
    return wrong('must have no password, query or fragment');
  }
  if (
    !/^[\w.:[\]-]+$/.test(url.hostname) ||
    url.hostname.startsWith('-') ||
    !/^(?:\w[\w.+-]*)?$/.test(url.username)
  ) {
    return wrong('has an unsupported host or user');
  }
  const proxies = proxiesFor(url, env);
  if (!proxies.ok) return proxies;
  const name = url.hostname.replace(/^\[|\]$/g, '');
  const isProxied = proxies.value !== null && proxyOnTheWay(url, proxies.value) !== null;
  if (protocol !== 'ssh' && isProxied && isIP(name) === 0) return ok({ url, protocol, settings: [] });
  const found = await resolveAllowed(url.hostname, allow);
  if (!found.ok) return found;
  const port = url.port === '' ? ports[protocol] : url.port;
  if (protocol === 'ssh') {
    const command = sshCommand({
      name: source.name,
      ssh: source.ssh,
      host: name,
      port,
      pinned: found.value[0] ?? name,
    });
    return command.ok ? ok({ url, protocol, settings: [], ssh: command.value }) : command;
  }
  const pinned = found.value.map((each) => (isIP(each) === 6 ? `[${each}]` : each)).join(',');
  return ok({
    url,
    protocol,
    settings: isIP(name) !== 0 ? [] : [['http.curloptResolve', `${name}:${port}:${pinned}`]],
  });
}
