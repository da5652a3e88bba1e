import type { HttpBindings } from '@hono/node-server';
import { isLoopback } from '../../core/lib/loopback.ts';
import type { Peer } from './route.ts';

/** What a route knows of its connection: a socket, or a peer for a request that came without one. */
export type PeerBindings = Partial<HttpBindings> & { readonly peer?: Peer };

/** The other end of a connection; its address is `unknown` after the connection has ended. */
export function peerOf({ peer, incoming }: PeerBindings): Peer {
  return peer ?? { address: incoming?.socket.remoteAddress ?? 'unknown' };
}

/**
 * The address by which requests without a session are counted. A proxy on this machine adds the address of its client
 * at the end of X-Forwarded-For; from anywhere else, the header is ignored. It only decides how many requests one
 * sender may send.
 */
export function senderAddress({ headers }: Pick<Request, 'headers'>, { address }: Peer): string {
  const forwarded = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  return forwarded !== '' && isHere(address) ? forwarded.slice(0, 100) : address;
}

/** Whether an address is of this machine. */
export function isHere(address: string): boolean {
  return isLoopback(address.replace(/^::ffff:/i, ''));
}
