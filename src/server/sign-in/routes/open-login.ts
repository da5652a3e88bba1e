import type { Hono } from 'hono';
import { z } from 'zod';
import type { CallerIdentity } from '../../../api/access/grants.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { problemAnswer } from '../../http/problem-answer.ts';
import { isJson, readBody } from '../../http/read-body.ts';
import { readInput } from '../../http/read-input.ts';
import type { Peer } from '../../http/route.ts';
import { type PeerBindings, peerOf, senderAddress } from '../../http/sender-address.ts';
import { type Acts, createActs, type LoginParts } from '../rules/acts.ts';
import { createLoginLink } from '../rules/login-link.ts';
import { createLoginProvider } from '../rules/login-provider.ts';
import { createPipelineKeys } from '../rules/pipeline-keys.ts';
import { createRateLimiter } from '../rules/rate-limit.ts';
import { exchangeToken } from './exchange.ts';
import { createIdentify } from './identify.ts';
import { createLinkAnswers, createProviderAnswers, createSessions } from './sessions.ts';

/** Sign-in, sign-out, and the sender of each request. */
export interface Login {
  readonly identify: (request: Request, peer: Peer) => Promise<CallerIdentity | Problem>;
  /** Adds `/login`, `/login/callback`, `/login/link`, `/logout` and `/api/v1/exchange`. */
  readonly mount: (app: Hono) => void;
  readonly acts: Acts;
  /** A link that signs in once, on this machine, as administrator; null if people sign in at a provider. */
  createLink(): Promise<string | null>;
  close(): Promise<void>;
}

/** Requests of one address to these routes, which need no session. */
const limit = { burst: 30, perSecond: 0.5 };

type Answer = (request: Request, peer: Peer) => Promise<Response>;

/** Connects to a provider only when somebody signs in. */
export function openLogin(parts: LoginParts): Login {
  const { settings, clock } = parts;
  const acts = createActs(parts);
  const sessions = createSessions(parts, acts);
  const keys = createPipelineKeys(parts);
  const signIn = settings.login && {
    settings: settings.login,
    provider: createLoginProvider(settings.login, parts),
  };
  const limiter = createRateLimiter(limit, () => clock.now());
  const bounded =
    (answer: Answer): Answer =>
    async (request, peer) =>
      limiter.take(senderAddress(request, peer)) > 0 ? problemAnswer([tooMany]) : answer(request, peer);

  return {
    identify: createIdentify(parts),
    acts,
    mount(app) {
      const add = (method: 'GET' | 'POST', path: string, answer: Answer) =>
        app.on(method, path, (context) => answer(context.req.raw, peerOf(context.env as PeerBindings)));
      if (signIn === undefined) {
        const link = createLinkAnswers(parts, sessions);
        add('GET', '/login', bounded(link.login));
        add('GET', '/login/link', bounded(link.redeem));
      } else {
        const answers = createProviderAnswers(parts, signIn, sessions, acts);
        add('GET', '/login', bounded(answers.login));
        add('GET', '/login/callback', bounded(answers.callback));
      }
      add('POST', '/logout', async (request, peer) =>
        sessions.end(request, peer, async () => (await signIn?.provider.logoutUrl()) ?? null),
      );
      add('POST', '/api/v1/exchange', bounded(createExchangeAnswer({ ...parts, acts, keys })));
      for (const path of ['/login/*', '/logout', '/api/v1/exchange']) {
        app.all(path, () => problemAnswer([notHere]));
      }
    },
    createLink: async () => (signIn === undefined ? createLoginLink(parts) : null),
    async close() {
      await Promise.all([signIn?.provider.close(), keys.close()]);
    },
  };
}

const tooMany = problem('rate-limited', 'Too many logins come from your address', { hint: 'wait a minute' });
const notHere = problem('not-found', 'There is nothing at this address for this method', {
  hint: 'sign in with GET /login, and sign out with POST /logout',
});

const exchangeRequest = z.strictObject({ token: z.string() });

/** `POST /api/v1/exchange`, which pipelines call before they have a token. */
function createExchangeAnswer(parts: Parameters<typeof exchangeToken>[2]) {
  return async (request: Request, { address }: Peer): Promise<Response> => {
    if (!isJson(request.headers.get('content-type'))) return problemAnswer([notJson], { status: 415 });
    const text = await readBody(request);
    if (!text.ok) return problemAnswer(text.problems);
    const input = readInput({ body: exchangeRequest }, request, {}, text.value);
    if (!input.ok) return problemAnswer(input.problems);
    const body = input.value.body as z.infer<typeof exchangeRequest>;
    const exchanged = await exchangeToken(body.token, address, parts);
    if (!exchanged.ok) return problemAnswer(exchanged.problems);
    const { token, subject, grants, expiresAt } = exchanged.value;
    return Response.json(
      { token, subject, grants, expires_at: expiresAt.toISOString() },
      { headers: { 'cache-control': 'no-store' } },
    );
  };
}

const notJson = problem('not-json', 'The body must be JSON with the token of the job', {
  hint: 'send { "token": "…" } with the header Content-Type: application/json',
});
