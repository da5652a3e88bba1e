import { type Problem, problem } from '../../../core/problem/problem.ts';
import { problemAnswer } from '../../http/problem-answer.ts';
import type { Peer } from '../../http/route.ts';
import type { LoginSettings } from '../../settings/server-settings.ts';
import type { Acts, LoginParts } from '../rules/acts.ts';
import { localPath } from '../rules/local-path.ts';
import { readAttempts, writeAttempts } from '../rules/login-attempts.ts';
import { createLoginLink, redeemLoginLink } from '../rules/login-link.ts';
import type { LoginProvider } from '../rules/login-provider.ts';
import { foreignWrite } from '../rules/own-pages.ts';
import { createRateLimiter } from '../rules/rate-limit.ts';
import { hashOfSecret, randomSecret } from '../rules/secret-text.ts';
import { grantsOf, operator, type StoredIdentity, useSession } from '../rules/stored-identity.ts';
import { cookiesFor } from './cookies.ts';
import { isFromHere, sessionLifeOf } from './identify.ts';
import { acceptsHtml, loginProblem, seeOther } from './login-answers.ts';

/** Begins and ends the sessions of browsers. */
export interface BrowserSessions {
  /** Goes to a path with a new session. The session that the browser had, which somebody may know, ends. */
  begin(identity: PersonIdentity, request: Request, peer: Peer, to: string): Promise<Response>;
  /** `logoutUrl` is where to sign out of the provider as well. */
  end(request: Request, peer: Peer, logoutUrl: () => Promise<string | null>): Promise<Response>;
}

type PersonIdentity = Exclude<StoredIdentity, { kind: 'pipeline' }>;

export function createSessions(parts: LoginParts, acts: Acts): BrowserSessions {
  const { settings, store } = parts;
  const cookies = () => cookiesFor(parts.url().startsWith('https:'));

  function ended(redirect: string | null): Response {
    const answer = Response.json({ redirect }, { headers: { 'cache-control': 'no-store' } });
    answer.headers.append('set-cookie', cookies().write('rampart-session', '', 0));
    return answer;
  }

  return {
    async begin(identity, request, { address }, to) {
      const recorded = await acts.record({
        kind: 'login',
        by: identity.subject,
        from: address,
        what: identity.kind === 'person' ? { groups: identity.groups.length } : {},
      });
      if (!recorded.ok) return problemAnswer(recorded.problems);
      const old = cookies().read(request.headers, 'rampart-session');
      if (old !== undefined) await store.sessions.remove(hashOfSecret(old));
      const secret = randomSecret();
      const { lifeMs } = sessionLifeOf(settings);
      await store.sessions.create({ hash: hashOfSecret(secret), identity, lifeMs });
      return seeOther(to, [
        cookies().write('rampart-session', secret, lifeMs / 1000),
        cookies().write('rampart-login', '', 0),
      ]);
    },

    async end(request, { address }, logoutUrl) {
      const secret = cookies().read(request.headers, 'rampart-session');
      if (secret === undefined) return ended(null);
      const session = await useSession(store, secret, sessionLifeOf(settings).idleMs);
      if (session === undefined) return ended(null);
      const refused = foreignWrite(request, secret, parts.url());
      if (refused !== null) return problemAnswer([refused]);
      await store.sessions.remove(hashOfSecret(secret));
      // The session is over whether or not this is recorded.
      await acts.record({ kind: 'logout', by: session.owner.subject, from: address, what: {} });
      return ended(await logoutUrl());
    },
  };
}

const noRole = problem('forbidden', 'Your account has no role on this server', {
  hint: 'ask an administrator to add one of your groups to server.login.roles',
});

/** How long a browser may spend at the provider, in seconds. */
const attemptSeconds = 900;
/** The page of the console for people without a role. */
const noRolePath = '/no-role';
const nobody = { kind: 'person', id: 'unknown', name: 'unknown' } as const;

/** Signing in at an OpenID Connect provider: to it, and back from it. */
export function createProviderAnswers(
  parts: LoginParts,
  { settings, provider }: { readonly settings: LoginSettings; readonly provider: LoginProvider },
  sessions: BrowserSessions,
  acts: Acts,
) {
  const cookies = () => cookiesFor(parts.url().startsWith('https:'));
  const attemptsOf = (request: Request) => readAttempts(cookies().read(request.headers, 'rampart-login'));

  function refuse(request: Request, refused: Problem): Response {
    const answer = loginProblem(refused, request);
    answer.headers.append('set-cookie', cookies().write('rampart-login', '', 0));
    return answer;
  }

  return {
    async login(request: Request): Promise<Response> {
      const { searchParams } = new URL(request.url);
      const to = localPath(searchParams.get('return'));
      const begun = await provider.begin(to, searchParams.get('prompt') === 'login');
      if (!begun.ok) {
        begun.problems.forEach((each) => parts.onProblem?.(each));
        return refuse(request, begun.problems[0] ?? notBegun);
      }
      const { url, attempt } = begun.value;
      const value = writeAttempts(attempt, attemptsOf(request));
      return seeOther(url, [cookies().write('rampart-login', value, attemptSeconds)]);
    },

    async callback(request: Request, peer: Peer): Promise<Response> {
      const { search, searchParams } = new URL(request.url);
      const state = searchParams.get('state');
      const attempt = attemptsOf(request).find((each) => each.state === state);
      if (attempt === undefined) return refuse(request, notBegun);
      const finished = await provider.finish(search, attempt);
      if (!finished.ok) {
        finished.problems.forEach((each) => parts.onProblem?.(each));
        const [first = notBegun] = finished.problems;
        await acts.recordRefusal({
          kind: 'login-refused',
          by: nobody,
          from: peer.address,
          what: { why: first.message },
        });
        return refuse(request, first);
      }
      const { id, name, email, groups } = finished.value;
      const subject = { kind: 'person' as const, id, name };
      if (grantsOf(groups, settings.roles).length === 0) {
        await acts.recordRefusal({
          kind: 'login-refused',
          by: subject,
          from: peer.address,
          what: { why: noRole.message },
        });
        return acceptsHtml(request)
          ? seeOther(noRolePath, [cookies().write('rampart-login', '', 0)])
          : refuse(request, noRole);
      }
      return sessions.begin(
        { kind: 'person', subject, email, groups: [...groups] },
        request,
        peer,
        attempt.to,
      );
    },
  };
}

const notBegun = problem(
  'not-authenticated',
  'This login was not started in this browser, or it took too long',
  {
    hint: 'open /login to sign in again',
  },
);

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
