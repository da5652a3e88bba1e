import type { Dispatcher } from 'undici';
import type { Environment } from '../../core/lib/surroundings.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import { type Exchange, type RequestMessage, TransportError } from '../contract/message.ts';
import { parseBaseUrl } from './base-url.ts';
import { proxiesFor, proxyOnTheWay } from './proxy.ts';
import { createReplyHandler } from './reply-handler.ts';
import { type RequestBound, requestBound } from './request-bound.ts';
import { toTransportError } from './transport-error.ts';
import { createUndiciPools, type PoolOptions, type UndiciPools } from './undici-pools.ts';

export interface HttpOptions extends PoolOptions {
  readonly baseUrl: string;
  /** The time limit of one whole request; 5 minutes and more for large responses if absent. */
  readonly bound?: RequestBound;
  /** The maximum size of a response; 1 GiB if absent. */
  readonly maxResponseBytes?: number;
  /** The environment with HTTPS_PROXY, HTTP_PROXY and NO_PROXY; that of the process if absent. */
  readonly env?: Environment;
  /** @internal Connections that are shared with others, who close them; of its own if absent. */
  readonly pools?: UndiciPools;
}

export interface HttpExchange {
  readonly exchange: Exchange;
  /** Closes all connections of its own; calls in flight are lost. */
  close(): Promise<void>;
}

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
  const pools = options.pools ?? createUndiciPools(options);

  return ok({
    exchange: async (request, { signal, mayStart, atMostMs = Number.POSITIVE_INFINITY } = {}) => {
      const dispatcher = await pools.of(url.value.origin, proxies.value);
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
      if (options.pools === undefined) await pools.close();
    },
  });
}

function toDispatch(origin: string, prefix: string, request: RequestMessage): Dispatcher.DispatchOptions {
  const { method, path, headers, body } = request;
  return { origin, path: prefix + path, method, headers: { ...headers }, body };
}
