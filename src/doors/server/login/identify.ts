import type { Identity } from '../../../control/access/identity.ts';
import type { Problem } from '../../../core/problem/problem.ts';

/** The part of a request that says who sends it. A web `Request` is one. */
export interface Asking {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: Headers;
}

/**
 * Who sends a request: the person of a session cookie, or the token or pipeline of an `Authorization` header. Returns a
 * problem `not-authenticated` (401) if nobody does, or `forbidden` (403) for a write of a session without proof that it
 * comes from our own pages. Never rejects.
 */
export type Identify = (request: Asking) => Promise<Identity | Problem>;

export function isIdentity(given: Identity | Problem): given is Identity {
  return 'grants' in given;
}
