import type { Grant } from './grants.ts';

/** Who did something: a person, a token, a pipeline, the server itself, or the operator with the one-time login link. */
export interface Subject {
  readonly kind: 'person' | 'token' | 'pipeline' | 'server' | 'operator';
  /** Stable and unique among subjects of its kind. */
  readonly id: string;
  readonly name: string;
}

/** Who sends a request, and what they may do. */
export interface CallerIdentity {
  readonly subject: Subject;
  readonly email: string | null;
  readonly grants: readonly Grant[];
  /** The text that a session must send in `X-Rampart-Csrf` with each write; null for tokens, which no browser sends by itself. */
  readonly csrf: string | null;
  /** RFC 3339; null if it does not end. */
  readonly expiresAt: string | null;
}
