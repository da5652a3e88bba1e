import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { ServerEvent } from '../../../src/api/overview.ts';
import type { ProblemBody } from '../../../src/api/resource.ts';
import { securityHeaders } from '../../../src/server/http/security-headers.ts';

export interface FakeRequest {
  readonly method: string;
  /** Below /api/v1, decoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface FakeAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response of a path: a function of the request, or always the same body. */
export type FakeRoute =
  | ((request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>)
  | { readonly body: unknown };

/** A server as the console sees it, with responses that a test chooses. */
export interface FakeApi {
  readonly address: string;
  readonly requests: readonly FakeRequest[];
  /** Sets the response of `GET /accounts` (or another method and path). Parts in braces match any text. */
  on(operation: string, route: FakeRoute): void;
  emit(event: Partial<ServerEvent> & Pick<ServerEvent, 'type'>): void;
  /** Readers of the stream of events that are connected. */
  readers(): number;
  /** Changes the body of each response until `reset`. */
  change(body: (body: unknown) => unknown): void;
  /** Forgets all requests and routes, and responds with these from now on. */
  reset(routes: Readonly<Record<string, FakeRoute>>): void;
  /** Ends the streams and refuses all connections until `restore`. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export function problemOf(status: number, change: Partial<ProblemBody> = {}): FakeAnswer {
  return {
    status,
    body: {
      type: 'urn:rampart:problem:unforeseen',
      title: 'Internal error',
      status,
      code: 'unforeseen',
      ...change,
    },
  };
}

/** Serves the built console from `folder`, with the policy of the real server, and an API with the given routes. */
export async function openFakeApi(
  folder: string,
  routes: Readonly<Record<string, FakeRoute>>,
): Promise<FakeApi> {
  const table = new Map(Object.entries(routes));
  const requests: FakeRequest[] = [];
  const streams = new Set<ServerResponse>();
  let events = 0;
  let isCut = false;
  let change = (body: unknown) => body;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    for (const [name, value] of Object.entries(securityHeaders(false))) response.setHeader(name, value);
    const url = new URL(request.url ?? '/', 'http://console');
    if (url.pathname === '/api/v1/events' && !table.has('GET /events')) return openEvents(response);
    if (!url.pathname.startsWith('/api/')) return sendFile(response, url.pathname);
    const asked: FakeRequest = {
      method: request.method ?? 'GET',
      path: url.pathname.slice('/api/v1'.length),
      query: url.searchParams,
      headers: request.headers,
      body: await bodyOf(request),
    };
    requests.push(asked);
    const route = routeOf(asked);
    const {
      status,
      body,
      headers = {},
    }: FakeAnswer = route === undefined
      ? problemOf(404, { title: 'Not found', detail: 'There is nothing at this address', code: 'not-found' })
      : typeof route === 'function'
        ? await route(asked)
        : { status: 200, body: route.body };
    response.writeHead(status, {
      'content-type': status < 400 ? 'application/json' : 'application/problem+json',
      ...headers,
    });
    response.end(status === 204 ? undefined : JSON.stringify(change(body)));
  };

  const routeOf = ({ method, path }: FakeRequest) => {
    for (const [operation, route] of table) {
      const [verb, pattern = ''] = operation.split(' ');
      if (verb === method && new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path))
        return route;
    }
    return undefined;
  };

  const openEvents = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.write('retry: 100\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
  };

  const sendFile = (response: ServerResponse, path: string) => {
    const isAsset = existsSync(join(folder, path)) && extname(path) !== '';
    const file = isAsset ? path : '/index.html';
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'cache-control': isAsset ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
    response.end(readFileSync(join(folder, file)));
  };

  const server = createServer((request, response) => {
    if (isCut) {
      request.socket.destroy();
      return;
    }
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;

  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    on: (operation, route) => void table.set(operation, route),
    emit(event) {
      events += 1;
      const whole = {
        id: String(events),
        at: new Date().toISOString(),
        account: null,
        resource: null,
        data: {},
        ...event,
      };
      for (const stream of streams)
        stream.write(`id: ${whole.id}\nevent: ${whole.type}\ndata: ${JSON.stringify(whole)}\n\n`);
    },
    readers: () => streams.size,
    change(next) {
      change = next;
    },
    reset(next) {
      isCut = false;
      change = (body) => body;
      requests.length = 0;
      table.clear();
      for (const [operation, route] of Object.entries(next)) table.set(operation, route);
      for (const stream of streams) stream.destroy();
    },
    async cut() {
      isCut = true;
      for (const stream of streams) stream.destroy();
      server.closeAllConnections();
    },
    async restore() {
      isCut = false;
    },
    async close() {
      for (const stream of streams) stream.destroy();
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  return text === '' ? undefined : JSON.parse(text);
}
