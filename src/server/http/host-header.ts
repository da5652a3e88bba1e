import { isLoopback } from '../../core/lib/loopback.ts';
import type { ServerSettings } from '../settings/server-settings.ts';

/**
 * Whether a request is meant for this server. A page of another site can point its own name to this machine; without
 * this check, the browser would let it read the responses of a server on loopback.
 */
export function allowsHost(host: string | undefined, { url, listen, login }: ServerSettings): boolean {
  if (host === undefined) return false;
  const name = host.replace(/:\d{1,5}$/, '').toLowerCase();
  if (isLoopback(name)) return true;
  if (url !== undefined && new URL(url).host === host.toLowerCase()) return true;
  // With a login and without its own address, the server can't know its names, and every request has to prove who
  // sends it.
  return name === listen.host.toLowerCase() || (url === undefined && login !== undefined);
}
