import type { Dispatcher } from 'undici';
import { ok, type Result } from '../../core/problem/result.ts';
import { type Exchange, type RequestMessage, TransportError } from '../contract/message.ts';
import { parseBaseUrl } from './base-url.ts';
import { type Environment, type Proxies, proxiesFor, proxyOnTheWay } from './proxy.ts';
import { createReplyHandler } from './reply-handler.ts';
import { type RequestBound, requestBound } from './request-bound.ts';
import { toTransportError } from './transport-error.ts';

export interface HttpOptions {
  readonly baseUrl: string;
  /** The maximum number of connections; 64 if absent. */
  readonly connections?: number;
  /**
   * How long to wait for a connection, then for the head of a response, then for each further part of its body, in
   * milliseconds; 60 seconds if absent, 10 for a connection.
   */
  readonly timeoutMs?: number;
  /** The time limit of one whole request; 5 minutes and more for large responses if absent. */
  readonly bound?: RequestBound;
  /** The maximum size of a response; 1 GiB if absent. */
  readonly maxResponseBytes?: number;
  /** The environment with HTTPS_PROXY, HTTP_PROXY and NO_PROXY; that of the process if absent. */
  readonly env?: Environment;
}

export interface HttpExchange {
  readonly exchange: Exchange;
  /** Closes all connections; calls in flight are lost. */
  close(): Promise<void>;
}

const defaultConnections = 64;
const defaultTimeoutMs = 60_000;
const longestConnectMs = 10_000;
const defaultMaxResponseBytes = 1024 ** 3;

/**
 * The real transport: HTTP/1.1 over a pool of connections. Certificates are verified whatever the environment says, and
 * redirects are returned but never followed. Fails with `insecure-url` or `configuration` before anything is sent.
 */
export function createUndiciExchange(options: HttpOptions): Result<HttpExchange> {
  const url = parseBaseUrl(options.baseUrl);
  if (!url.ok) return url;
  const proxies = proxiesFor(url.value, options.env ?? process.env);
  if (!proxies.ok) return proxies;

  const proxy = proxies.value === null ? null : proxyOnTheWay(url.value, proxies.value);
  const prefix = url.value.pathname === '/' ? '' : url.value.pathname;
  const bound = options.bound ?? requestBound({});
  const maxBytes = options.maxResponseBytes ?? defaultMaxResponseBytes;
  let connecting: Promise<Dispatcher> | undefined;
  const connect = () => {
    connecting ??= openDispatcher(url.value.origin, proxies.value, options);
    return connecting;
  };

  return ok({
    exchange: async (request, { signal, mayStart, atMostMs = Number.POSITIVE_INFINITY } = {}) => {
      const dispatcher = await connect();
      if (signal?.aborted) throw new TransportError('cancelled', 'not-sent');
      const message = toDispatch(url.value.origin, prefix, request);
      return new Promise((resolve, reject) => {
        const handler = createReplyHandler({
          signal,
          mayStart,
          maxBytes,
          proxy,
          bound: atMostMs < bound.ms ? { ms: atMostMs, msPerMiB: 0 } : bound,
          resolve,
          reject,
        });
        try {
          dispatcher.dispatch(message, handler);
        } catch (error) {
          reject(toTransportError(error, { begun: false, proxy }));
        }
      });
    },
    close: async () => {
      await (await connecting)?.destroy();
    },
  });
}

function toDispatch(origin: string, prefix: string, request: RequestMessage): Dispatcher.DispatchOptions {
  const { method, path, headers, body } = request;
  return { origin, path: prefix + path, method, headers: { ...headers }, body };
}

async function openDispatcher(
  origin: string,
  proxies: Proxies | null,
  { connections = defaultConnections, timeoutMs = defaultTimeoutMs }: HttpOptions,
): Promise<Dispatcher> {
  const { EnvHttpProxyAgent, Pool } = await import('undici');
  const tls = { rejectUnauthorized: true, allowH2: false };
  const shared = {
    allowH2: false,
    connections,
    connectTimeout: Math.min(timeoutMs, longestConnectMs),
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  };
  return proxies === null
    ? new Pool(origin, { ...shared, connect: tls })
    : new EnvHttpProxyAgent({ ...shared, ...proxies, connect: tls, requestTls: tls, proxyTls: tls });
}
