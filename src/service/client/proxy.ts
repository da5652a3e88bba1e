import { isLoopback } from '../../core/lib/loopback.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** The proxies in the environment; an empty text means none. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/**
 * Null: connect directly. This machine is never reached through a proxy, because its plain http would leave the
 * machine.
 */
export function proxiesFor(url: URL, env: Environment): Result<Proxies | null> {
  const proxies: Proxies = {
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  };
  if (isLoopback(url.hostname) || (proxies.httpProxy === '' && proxies.httpsProxy === '')) return ok(null);
  for (const [name, text] of [
    ['HTTP_PROXY', proxies.httpProxy],
    ['HTTPS_PROXY', proxies.httpsProxy],
  ] as const) {
    const protocol = text === '' ? 'http:' : URL.parse(text)?.protocol;
    if (protocol !== 'http:' && protocol !== 'https:') {
      return failed(
        problem('configuration', `${name} is not the address of an http proxy`, {
          hint: 'write an address such as http://proxy.example.com:3128',
        }),
      );
    }
  }
  return ok(proxies);
}

/** The proxy for calls to this address, without user and password so that it can be shown. Null if there is none. */
export function proxyOnTheWay(url: URL, { httpProxy, httpsProxy, noProxy }: Proxies): string | null {
  const text = url.protocol === 'https:' ? httpsProxy || httpProxy : httpProxy;
  const proxy = URL.parse(text);
  if (proxy === null || isExempt(url, noProxy)) return null;
  return `${proxy.protocol}//${proxy.host}`;
}

/** Interprets NO_PROXY as the library does: names with all their subdomains, and ports. */
function isExempt({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const own = port || (protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[,\s]+/)
    .some((entry) => {
      const [, name = '', only] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (entry === '*') return true;
      if (name === '' || (only !== undefined && only !== own)) return false;
      return hostname === name || hostname.endsWith(`.${name}`);
    });
}
