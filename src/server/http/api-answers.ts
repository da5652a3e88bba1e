import { type CallerIdentity, isVisible, type Visible } from '../../api/access/grants.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { createRateLimiter } from '../sign-in/rules/rate-limit.ts';
import { entityTagOf, namesTag, taggedAnswer, weakTagOf } from './entity-tag.ts';
import type { EventHub } from './event-hub.ts';
import { onceForKey } from './idempotency.ts';
import { problemAnswer } from './problem-answer.ts';
import { isJson, readBody } from './read-body.ts';
import { isStorable, readInput } from './read-input.ts';
import type { ApiRoute, HttpParts, Peer, RouteCall } from './route.ts';
import { senderAddress } from './sender-address.ts';
import { createAccessCache } from './visible-cache.ts';

export interface ApiAnswers {
  answer(
    route: ApiRoute,
    request: Request,
    params: Readonly<Record<string, string>>,
    peer: Peer,
    onSubject: (id: string) => void,
  ): Promise<Response>;
}

/** Requests of one person, token or pipeline. */
const callerLimit = { burst: 200, perSecond: 50 };
/** Requests without a valid session or token from one address: guessing is slowed down. */
const strangerLimit = { burst: 50, perSecond: 1 };

/** The steps of every request to the API: identity, rate, permission, validity, then the route itself. */
export function createApiAnswers(
  parts: HttpParts,
  routes: readonly ApiRoute[],
  { hub, stopped }: { readonly hub: EventHub; readonly stopped: AbortSignal },
): ApiAnswers {
  const now = () => performance.now();
  const callers = createRateLimiter(parts.limits?.caller ?? callerLimit, now);
  const strangers = createRateLimiter(parts.limits?.stranger ?? strangerLimit, now);
  const access = createAccessCache(() => parts.settings.accounts);
  const byId = new Map(routes.map((each) => [each.id, each]));

  /** The accounts that the caller may see, or why the request ends here; and the account that it is about, if any. */
  async function admit(
    { access: needed }: ApiRoute,
    { grants }: CallerIdentity,
    params: Readonly<Record<string, string>>,
  ): Promise<{ readonly visible: Result<Visible>; readonly account?: string }> {
    const { action, on } = needed;
    const visible = access.visible(grants, 'read');
    if (on === 'self') return { visible: ok(visible) };
    if (on === 'accounts') {
      const allowed = access.visible(grants, action);
      return { visible: allowed !== 'all' && allowed.length === 0 ? failed(forbidden) : ok(allowed) };
    }
    if (on === 'server')
      return { visible: access.may(grants, action, null) ? ok(visible) : failed(forbidden) };
    if (!isStorable(params)) return { visible: failed(missing) };
    const found = await needed.accountOf(params, parts);
    if (!found.ok) return { visible: found };
    const account = found.value;
    if (account === null) return { visible: failed(missing) };
    if (!isVisible(visible, account)) return { visible: failed(missing), account };
    return { visible: access.may(grants, action, account) ? ok(visible) : failed(forbidden), account };
  }

  async function answer(
    route: ApiRoute,
    request: Request,
    params: Readonly<Record<string, string>>,
    peer: Peer,
    onSubject: (id: string) => void,
  ): Promise<Response> {
    const identity = await parts.identify(request, peer);
    if (!('subject' in identity)) {
      const waitMs = strangers.take(senderAddress(request, peer));
      return waitMs > 0 ? tooMany(waitMs) : problemAnswer([identity]);
    }
    onSubject(identity.subject.id);
    const waitMs = callers.take(`${identity.subject.kind} ${identity.subject.id}`);
    if (waitMs > 0) return tooMany(waitMs);

    const { visible, account } = await admit(route, identity, params);
    if (!visible.ok) {
      if (route.method !== 'get') await noteDenied(route, identity, account, peer);
      return problemAnswer(visible.problems);
    }
    const text = await bodyOf(route, request);
    if (text instanceof Response) return text;
    const input = readInput(route, request, params, text);
    if (!input.ok) return problemAnswer(input.problems);
    const signal = AbortSignal.any([request.signal, stopped]);
    const call: RouteCall = {
      ...input.value,
      identity,
      visible: visible.value,
      parts,
      may: (action, account) => access.may(identity.grants, action, account),
      hub,
      peer,
      request,
      signal,
    };

    const work = async () =>
      (await isStale(route, call)) ?? toResponse(route, request, await route.handle(call));
    const key = request.headers.get('idempotency-key');
    if (key === null || route.method === 'get') return work();
    const { subject } = identity;
    const { pathname: path } = new URL(request.url);
    const isSecret = route.isSecret === true;
    return onceForKey(parts.store, { subject, key, method: route.method, path, body: text, isSecret }, work);
  }

  /** Forbidden changes are recorded at a limited rate, so that nobody can fill the audit log. */
  async function noteDenied(
    { id, access: needed }: ApiRoute,
    { subject }: CallerIdentity,
    account: string | undefined,
    peer: Peer,
  ): Promise<void> {
    await parts.acts.recordRefusal({
      kind: 'write-denied',
      by: subject,
      from: peer.address,
      what: { operation: id, action: needed.action, ...(account === undefined ? {} : { account }) },
    });
  }

  /** `If-Match` contains the version that the caller has seen. */
  async function isStale({ guards }: ApiRoute, call: RouteCall): Promise<Response | undefined> {
    const expected = call.request.headers.get('if-match');
    const guarded = guards === undefined ? undefined : byId.get(guards);
    if (expected === null || guarded === undefined) return undefined;
    const current = await guarded.handle({ ...call, query: {}, body: undefined });
    if (current instanceof Response) return undefined;
    if (!current.ok) return problemAnswer(current.problems);
    return namesTag(expected, entityTagOf(JSON.stringify(current.value)), 'strong')
      ? undefined
      : problemAnswer([changedSince], { status: 412 });
  }

  return { answer };
}

const forbidden = problem('forbidden', 'Your roles do not allow this', {
  hint: 'GET /api/v1/me lists your roles; an administrator can change them',
});
/** The same for what does not exist and for what the caller may not see. */
export const missing = problem('not-found', 'Nothing with this name or id exists, or you may not see it');
export const inThePast = problem('invalid-value', '"until" is not in the future', {
  hint: 'give a later time',
});
const changedSince = problem('changed-since', 'It has changed since the version in If-Match', {
  hint: 'read it again, then decide again',
});

function tooMany(waitMs: number): Response {
  const seconds = String(Math.ceil(waitMs / 1_000));
  return problemAnswer(
    [problem('rate-limited', 'You sent too many requests', { hint: `wait ${seconds} s` })],
    {
      headers: { 'retry-after': seconds },
    },
  );
}

/** The text of the body, or the response that refuses it. Requests without a defined body must not have one. */
async function bodyOf(route: ApiRoute, request: Request): Promise<string | Response> {
  if (route.method === 'get') return '';
  const text = await readBody(request);
  if (!text.ok) return problemAnswer(text.problems);
  if (text.value === '' || isJson(request.headers.get('content-type'))) return text.value;
  return problemAnswer(
    [
      problem('bad-request', 'The body must be JSON', {
        hint: 'send the header Content-Type: application/json',
      }),
    ],
    { status: 415 },
  );
}

function toResponse(route: ApiRoute, request: Request, result: Result<unknown> | Response): Response {
  if (result instanceof Response) return result;
  if (!result.ok) return problemAnswer(result.problems);
  const status = route.status ?? 200;
  if (route.answer === null) return new Response(null, { status: 204 });
  const body = JSON.stringify(result.value);
  const headers = {
    'content-type': 'application/json',
    'cache-control': route.method === 'get' ? 'private, no-cache' : 'no-store',
    vary: 'authorization, cookie',
  };
  if (route.method !== 'get') return new Response(body, { status, headers });
  const { volatile } = route;
  const etag = volatile === undefined ? entityTagOf(body) : weakTagOf(result.value as object, volatile);
  return taggedAnswer(request, body, { ...headers, etag });
}
