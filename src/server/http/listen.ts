import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server';
import { codeOf } from '../../core/lib/error-code.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { problemBodyOf } from './problem-answer.ts';

export interface Listening {
  /** `http://127.0.0.1:8080`, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

/** How long a client may take, in milliseconds, so that slow ones do not use up the connections. */
export interface ClientTimeouts {
  readonly headersMs: number;
  /** For the whole request, with its body. */
  readonly requestMs: number;
}

const usualTimeouts: ClientTimeouts = { headersMs: 10_000, requestMs: 30_000 };
const keepAliveTimeoutMs = 65_000;
const mostHeaderBytes = 16_384;
const mostConnections = 10_000;
/** How long `close` waits for requests that are under way. */
const closeTimeoutMs = 5_000;

export async function listenHttp(
  fetch: (request: Request, env: HttpBindings) => Response | Promise<Response>,
  { host, port }: { readonly host: string; readonly port: number },
  timeouts: ClientTimeouts = usualTimeouts,
): Promise<Result<Listening>> {
  const server = createAdaptorServer({
    fetch: (request: Request, env: HttpBindings | Http2Bindings) => fetch(request, env as HttpBindings),
    overrideGlobalObjects: false,
    serverOptions: {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: keepAliveTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, timeouts.headersMs),
      maxHeaderSize: mostHeaderBytes,
    },
  }) as Server;
  server.maxConnections = mostConnections;
  server.on('clientError', refuse);
  // Without a listener, Node answers a request with `Expect` by itself; nothing here needs it.
  server.on('checkExpectation', (_request: IncomingMessage, response) => {
    response.writeHead(417).end();
  });
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen({ host, port }, done);
    });
  } catch (fault) {
    const why = codeOf(fault) === 'EADDRINUSE' ? 'another program uses this port' : String(codeOf(fault));
    return failed(
      problem('configuration', `The server can't listen on ${host}:${port}: ${why}`, {
        hint: 'choose another address with --listen, or with server.listen in rampart.config.yaml',
      }),
    );
  }
  const address = server.address() as AddressInfo;
  const name = host.includes(':') ? `[${host}]` : host;
  return ok({
    url: `http://${name}:${address.port}`,
    port: address.port,
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      server.closeIdleConnections();
      const timer = setTimeout(() => server.closeAllConnections(), closeTimeoutMs);
      await closed;
      clearTimeout(timer);
    },
  });
}

const statusOfFault: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Responds to bytes that are not a request. Node creates no request for them, so no other code responds. */
function refuse(fault: Error, socket: Socket & { readonly _httpMessage?: unknown }): void {
  // Half a response was already sent: more bytes would be read as part of it.
  if (!socket.writable || (socket._httpMessage !== null && socket._httpMessage !== undefined)) {
    socket.destroy();
    return;
  }
  const status = statusOfFault[codeOf(fault)] ?? 400;
  const [code, message] = {
    431: ['too-large', 'The headers of the request are larger than 16 kB'] as const,
    408: ['timed-out', 'The request took too long to arrive'] as const,
    400: ['bad-request', 'This is not a valid HTTP request'] as const,
  }[status as 431 | 408 | 400];
  const body = JSON.stringify(problemBodyOf([problem(code, message)], status));
  socket.end(
    [
      `HTTP/1.1 ${status} ${status === 400 ? 'Bad Request' : status === 408 ? 'Request Timeout' : 'Request Header Fields Too Large'}`,
      'content-type: application/problem+json',
      `content-length: ${Buffer.byteLength(body)}`,
      'x-content-type-options: nosniff',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
