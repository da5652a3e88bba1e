import { problem } from '../../../core/problem/problem.ts';
import type { Peer } from '../../http/http-parts.ts';
import { createLoginLink, redeemLoginLink } from '../rules/login-link.ts';
import type { LoginParts } from '../rules/login-parts.ts';
import { createRateLimiter } from '../rules/rate-limit.ts';
import { operator } from '../rules/stored-identity.ts';
import { isFromHere } from './identify.ts';
import { loginProblem } from './login-answers.ts';
import type { BrowserSessions } from './sessions.ts';

/** New links that a visit may cause. */
const linkLimit = { burst: 2, perSecond: 1 / 30 };

/** Signing in without a provider: with the link that the server prints, on the machine of the server. */
export function createLinkAnswers(parts: LoginParts, sessions: BrowserSessions) {
  const limiter = createRateLimiter(linkLimit, () => parts.clock.now());
  return {
    async login(request: Request, { address }: Peer): Promise<Response> {
      if (!isFromHere(request, address)) return loginProblem(notHere, request);
      if (parts.onLink !== undefined && limiter.take('link') === 0)
        parts.onLink(await createLoginLink(parts));
      return loginProblem(openLink, request);
    },

    async redeem(request: Request, peer: Peer): Promise<Response> {
      if (!isFromHere(request, peer.address)) return loginProblem(notHere, request);
      const ticket = new URL(request.url).searchParams.get('ticket');
      if (ticket === null || !(await redeemLoginLink(parts, ticket))) return loginProblem(usedLink, request);
      return sessions.begin({ kind: 'operator', subject: operator }, request, peer, '/');
    },
  };
}

const openLink = problem('not-authenticated', 'You are not signed in', {
  hint: 'open the login link that the server printed; it prints a new one when you open this page',
});
const usedLink = problem('not-authenticated', 'The login link was used before, or it has expired', {
  hint: 'open /login, and then the new link that the server prints',
});
const notHere = problem(
  'forbidden',
  'Without a login provider, you can sign in only on the machine of the server',
  {
    hint: 'set "login" in the settings of the server to sign in from elsewhere',
  },
);
