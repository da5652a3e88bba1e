import { type Problem, problem } from '../../../core/problem/problem.ts';
import type { Peer } from '../../http/http-parts.ts';
import type { LoginSettings } from '../../settings/server-settings.ts';
import type { Acts } from '../rules/acts.ts';
import { localPath } from '../rules/local-path.ts';
import { readAttempts, writeAttempts } from '../rules/login-attempts.ts';
import type { LoginParts } from '../rules/login-parts.ts';
import type { LoginProvider } from '../rules/login-provider.ts';
import { grantsOf } from '../rules/stored-identity.ts';
import { cookiesFor } from './cookies.ts';
import { acceptsHtml, loginProblem, seeOther } from './login-answers.ts';
import { type BrowserSessions, noRole } from './sessions.ts';

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
