import { once } from '../../core/lib/once.ts';
import type { Proxies } from './proxy.ts';

/** `fetch` through the proxies of the environment, which Node's own ignores. */
export function proxiedFetch(proxies: Proxies): typeof fetch {
  const open = once(async () => {
    const { EnvHttpProxyAgent, fetch } = await import('undici');
    return { fetch, dispatcher: new EnvHttpProxyAgent({ ...proxies, allowH2: false }) };
  });
  const send = async (url: string | URL | Request, init?: RequestInit) => {
    const { fetch, dispatcher } = await open();
    return fetch(url as URL, { ...(init as object), dispatcher });
  };
  return send;
}
