import type { CallerIdentity } from '../../../api/access/grants.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { isHere } from '../../http/sender-address.ts';
import type { LoginParts } from '../rules/acts.ts';
import { csrfOf, foreignWrite, isWrite } from '../rules/own-pages.ts';
import { hashOfSecret } from '../rules/secret-text.ts';
import { grantsOf, type StoredIdentity, storedGrants, useSession } from '../rules/stored-identity.ts';
import { cookiesFor } from './cookies.ts';

/** The part of a request that identifies its sender. */
export type AskingRequest = Pick<Request, 'method' | 'url' | 'headers'>;

/** How long the session of a login link lasts, in milliseconds. */
const sessionLife = { idleMs: 3_600_000, lifeMs: 12 * 3_600_000 };

/** How long a pipeline may use its token, in milliseconds. */
export const pipelineLifeMs = 3_600_000;

/** What secret scanners look for. */
export const tokenPrefix = 'rampart_';
export const pipelineTokenPrefix = 'rampart_ci_';

/**
 * The sender of a request: the person of a session cookie, or the token or pipeline of the `Authorization` header,
 * which takes precedence over the cookie. Returns `not-authenticated` (401) if there is none, and `forbidden` (403) for
 * a write of a session without proof that it comes from our own pages. Rejects only if the database fails.
 */
export function createIdentify(parts: LoginParts) {
  const { settings, store } = parts;

  async function ofToken(header: string): Promise<CallerIdentity | Problem> {
    const token = /^Bearer ([\w-]{20,200})$/i.exec(header)?.[1];
    if (token === undefined) return badToken;
    if (token.startsWith(pipelineTokenPrefix)) return ofPipeline(token);
    const known = await store.tokens.use(hashOfSecret(token));
    if (known === undefined) return badToken;
    const grants = storedGrants.safeParse(known.grants);
    if (!grants.success) return badToken;
    return {
      subject: { kind: 'token', id: known.id, name: known.name },
      email: null,
      grants: grants.data,
      csrf: null,
      expiresAt: known.expires_at.toISOString(),
    };
  }

  async function ofPipeline(token: string): Promise<CallerIdentity | Problem> {
    const session = await useSession(store, token, pipelineLifeMs);
    if (session?.owner.kind !== 'pipeline') return badToken;
    const { subject, grants } = session.owner;
    return { subject, email: null, grants, csrf: null, expiresAt: session.expiresAt.toISOString() };
  }

  async function ofSession(
    secret: string,
    request: AskingRequest,
    peer: string,
  ): Promise<CallerIdentity | Problem> {
    const { idleMs } = sessionLifeOf(settings);
    const session = await useSession(store, secret, idleMs);
    if (session === undefined || session.owner.kind === 'pipeline') return notSignedIn;
    const owner = ownerOf(session.owner, request, peer);
    if (owner === null) return notSignedIn;
    const refused = isWrite(request.method) ? foreignWrite(request, secret, parts.url()) : null;
    return refused ?? { ...owner, csrf: csrfOf(secret), expiresAt: session.expiresAt.toISOString() };
  }

  /** Null if the settings no longer allow this way of signing in. */
  function ownerOf(
    stored: Exclude<StoredIdentity, { kind: 'pipeline' }>,
    request: AskingRequest,
    peer: string,
  ) {
    const { subject } = stored;
    if (stored.kind === 'operator') {
      const isHere = settings.login === undefined && isFromHere(request, peer);
      return isHere ? { subject, email: null, grants: [{ role: 'admin' as const }] } : null;
    }
    if (settings.login === undefined) return null;
    return { subject, email: stored.email, grants: grantsOf(stored.groups, settings.login.roles) };
  }

  return async (
    request: AskingRequest,
    peer: { readonly address: string },
  ): Promise<CallerIdentity | Problem> => {
    if (hasTokenInAddress(request.url)) return tokenInAddress;
    const header = request.headers.get('authorization');
    if (header !== null) return ofToken(header);
    const secret = cookiesFor(parts.url().startsWith('https:')).read(request.headers, 'rampart-session');
    return secret === undefined ? notSignedIn : ofSession(secret, request, peer.address);
  };
}

export function sessionLifeOf({ login }: LoginParts['settings']): typeof sessionLife {
  return login?.session ?? sessionLife;
}

/** Whether a connection comes from this machine, and not through a proxy on it. */
export function isFromHere({ headers }: Pick<Request, 'headers'>, address: string): boolean {
  if (
    ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'].some((name) => headers.has(name))
  ) {
    return false;
  }
  return isHere(address);
}

/** Addresses end up in logs and histories, so a token in one is no longer secret. */
function hasTokenInAddress(url: string): boolean {
  const { searchParams } = new URL(url);
  return [...searchParams].some(([name, value]) => name === 'access_token' || value.startsWith(tokenPrefix));
}

const notSignedIn = problem('not-authenticated', 'You are not signed in', {
  hint: 'open /login in a browser, or send a token in the header Authorization: Bearer',
});
const badToken = problem('not-authenticated', 'The token is unknown, expired or revoked', {
  hint: 'create a new one, and send it in the header Authorization: Bearer',
});
const tokenInAddress = problem('not-authenticated', 'The address contains a token', {
  hint: 'send it in the header Authorization: Bearer. Addresses are logged, so revoke this token',
});
