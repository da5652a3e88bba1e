import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { once } from '../../core/lib/once.ts';
import { problem, type Result } from '../../core/problem/problem.ts';
import { isPassingFault } from '../../run/state/postgres/database-problem.ts';
import { createApiAnswers } from '../http/api-answers.ts';
import { loadConsoleFiles } from '../http/console-files.ts';
import { entityTagOf, taggedAnswer } from '../http/entity-tag.ts';
import { createEventHub } from '../http/event-hub.ts';
import { allowsHost } from '../http/host-header.ts';
import { type Listening, listenHttp } from '../http/listen.ts';
import { serverApiDocument } from '../http/open-api.ts';
import { problemAnswer } from '../http/problem-answer.ts';
import type { ApiRoute, HttpParts, Peer } from '../http/route.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { type PeerBindings, peerOf } from '../http/sender-address.ts';
import { mountMcp } from '../mcp/mount-mcp.ts';
import { routes as everyRoute } from './routes.ts';

/** The HTTP side of the server: the API, the console's files, and the routes that the rest of the server mounts. */
export interface Http {
  /** Answers one request, without a socket. */
  readonly fetch: (request: Request, peer?: Peer) => Promise<Response>;
  listen(at: { readonly host: string; readonly port: number }): Promise<Result<Listening>>;
  /** Ends streams, then waits for the requests in flight. */
  close(): Promise<void>;
}

type Env = {
  Bindings: PeerBindings;
  Variables: { requestId: string; route: string; subject: string | null };
};

export function createHttp(parts: HttpParts, routes: readonly ApiRoute[] = everyRoute): Http {
  const app = new Hono<Env>();
  const stopped = new AbortController();
  const files = loadConsoleFiles(parts.consoleFolder);
  const headers = Object.entries(securityHeaders(parts.settings.url?.startsWith('https:') === true));
  const onFault = (fault: unknown) => parts.onFault?.(fault, 'events');
  const hub = createEventHub(parts.store, onFault);
  const answers = createApiAnswers(parts, routes, { hub, stopped: stopped.signal });
  const document = once(() => JSON.stringify(serverApiDocument(routes)));

  app.use('*', async (context, next) => {
    const requestId = randomUUID();
    const started = performance.now();
    context.set('route', 'other');
    context.set('subject', null);
    context.set('requestId', requestId);
    const answered = parts.onRequest?.();
    try {
      if (allowsHost(context.req.header('host'), parts.settings)) await next();
      else context.res = problemAnswer([unknownHost]);
    } finally {
      answered?.();
    }
    for (const [name, value] of headers) context.res.headers.set(name, value);
    context.res.headers.set('x-request-id', requestId);
    parts.onAnswer?.({
      requestId,
      method: context.req.method,
      route: context.get('route'),
      status: context.res.status,
      ms: performance.now() - started,
      subject: context.get('subject'),
    });
  });
  app.onError((fault, context) => {
    const requestId = context.get('requestId');
    // The queue reports that the database is away, so a stack for each request would only fill the log.
    if (isPassingFault(fault)) return problemAnswer([noDatabase], { headers: { 'retry-after': '2' } });
    parts.onFault?.(fault, requestId);
    return problemAnswer([
      problem('unforeseen', 'The server failed', { hint: `report the request ${requestId}` }),
    ]);
  });

  for (const route of routes) {
    app.on(route.method.toUpperCase(), honoPath(route.path), async (context) => {
      context.set('route', route.path);
      return answers.answer(route, context.req.raw, context.req.param(), peerOf(context.env), (subject) =>
        context.set('subject', subject),
      );
    });
  }
  // After all routes: another path may match the same address with another method.
  for (const path of new Set(routes.map((each) => each.path))) {
    app.all(honoPath(path), (context) => {
      context.set('route', path);
      return notAllowed(routes.filter((each) => each.path === path));
    });
  }
  // The description of the API is not secret, so generators read it without a token.
  app.get('/api/v1/openapi.json', (context) => jsonFile(context.req.raw, document()));
  mountMcp(app as unknown as Hono, parts);
  parts.mount?.(app as unknown as Hono);
  app.all('/api/*', () => problemAnswer([noRoute]));
  app.on(['GET'], '*', (context) => {
    context.set('route', 'console');
    return files.answer(context.req.raw, context.req.path) ?? problemAnswer([noRoute]);
  });
  app.all('*', () => problemAnswer([noRoute]));

  const fetch = async (request: Request, peer?: Peer) =>
    app.fetch(request, peer === undefined ? {} : { peer });
  let listening: Listening | undefined;
  return {
    fetch,
    async listen(at) {
      const result = await listenHttp((request, env) => app.fetch(request, env), at);
      if (result.ok) listening = result.value;
      return result;
    },
    async close() {
      stopped.abort();
      await hub.close();
      await listening?.close();
    },
  };
}

const noRoute = problem('not-found', 'There is nothing at this address', {
  hint: 'see /api/v1/openapi.json for the operations of the API',
});
const noDatabase = problem('state', 'The database of the server does not respond', {
  hint: 'try again in a moment; GET /readyz shows when it is back',
});
const unknownHost = problem('bad-request', 'The Host header names another server', {
  hint: 'open the server at the address of its setting server.url, or at the loopback address that it printed',
});

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function notAllowed(here: readonly ApiRoute[]): Response {
  const methods = here.map((each) => each.method.toUpperCase());
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ');
  return problemAnswer([problem('not-allowed', `This address only answers ${allow}`)], {
    headers: { allow },
  });
}

function jsonFile(request: Request, text: string): Response {
  return taggedAnswer(request, text, {
    etag: entityTagOf(text),
    'cache-control': 'no-cache',
    'content-type': 'application/json',
  });
}
