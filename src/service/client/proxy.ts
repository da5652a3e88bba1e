import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { isLoopback } from './base-url.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxies that the environment names; an empty text is none. */
export interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** Null: go straight there. This machine is never reached through a proxy, as its plain http would leave it. */
export function proxiesFor(url: URL, env: Environment): Result<Proxies | null> {
  const proxies: Proxies = {
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  };
  if (isLoopback(url) || (proxies.httpProxy === '' && proxies.httpsProxy === '')) return ok(null);
  for (const [name, text] of [
    ['HTTP_PROXY', proxies.httpProxy],
    ['HTTPS_PROXY', proxies.httpsProxy],
  ] as const) {
    const protocol = text === '' ? 'http:' : URL.parse(text)?.protocol;
    if (protocol !== 'http:' && protocol !== 'https:') {
      return failed(
        problem('configuration', `${name} is not the address of an http proxy`, {
          hint: 'write it like http://proxy.example.com:3128',
        }),
      );
    }
  }
  return ok(proxies);
}

/** The proxy that a call to this address goes through, for people: without a user and password. Null if none is. */
export function proxyOnTheWay(url: URL, { httpProxy, httpsProxy, noProxy }: Proxies): string | null {
  const text = url.protocol === 'https:' ? httpsProxy || httpProxy : httpProxy;
  const proxy = URL.parse(text);
  if (proxy === null || isExempt(url, noProxy)) return null;
  return `${proxy.protocol}//${proxy.host}`;
}

/** As the library reads NO_PROXY: names with everything below them, and ports. */
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
