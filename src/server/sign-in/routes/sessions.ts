import { problem } from '../../../core/problem/problem.ts';
import type { Peer } from '../../http/http-parts.ts';
import { problemAnswer } from '../../http/problem-answer.ts';
import type { Acts } from '../rules/acts.ts';
import type { LoginParts } from '../rules/login-parts.ts';
import { foreignWrite } from '../rules/own-pages.ts';
import { hashOfSecret, randomSecret } from '../rules/secret-text.ts';
import { type StoredIdentity, useSession } from '../rules/stored-identity.ts';
import { cookiesFor } from './cookies.ts';
import { sessionLifeOf } from './identify.ts';
import { seeOther } from './login-answers.ts';

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

export const noRole = problem('forbidden', 'Your account has no role on this server', {
  hint: 'ask an administrator to add one of your groups to server.login.roles',
});
