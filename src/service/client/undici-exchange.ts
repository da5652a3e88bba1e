import type { Dispatcher } from 'undici';
import type { Environment } from '../../core/lib/surroundings.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import {
  type Exchange,
  type RequestMessage,
  type ResponseMessage,
  TransportError,
} from '../contract/message.ts';
import { parseBaseUrl } from './base-url.ts';
import { proxiesFor, proxyOnTheWay } from './proxy.ts';
import { allowedMs, type RequestBound, requestBound } from './request-bound.ts';
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

interface ReplyOptions {
  readonly signal: AbortSignal | undefined;
  readonly mayStart?: (() => boolean) | undefined;
  readonly maxBytes: number;
  /** The address of the proxy, without a user; null if there is none. */
  readonly proxy: string | null;
  readonly bound: RequestBound;
  readonly resolve: (response: ResponseMessage) => void;
  readonly reject: (error: TransportError) => void;
}

/** A body of this size is copied into place part by part: joining it at the end would keep it in memory twice. */
const largeBody = 1024 ** 2;

/**
 * Collects one response. `onRequestStart` comes immediately before the first byte is written, so a failure without it
 * means that the service has certainly not received the request.
 */
function createReplyHandler({
  signal,
  mayStart,
  maxBytes,
  bound,
  proxy,
  resolve,
  reject,
}: ReplyOptions): Dispatcher.DispatchHandler {
  let begun = false;
  let controller: Dispatcher.DispatchController | undefined;
  let status = 0;
  let headers: Record<string, string> = {};
  let chunks: Buffer[] = [];
  let large: Buffer | undefined;
  let received = 0;

  let since = performance.now();
  let timer = setTimeout(checkTime, bound.ms);

  function leave(): void {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }

  /** Received data may extend the time limit; a body that arrives too slowly does not. */
  function checkTime(): void {
    const leftMs = allowedMs(bound, received) - (performance.now() - since);
    if (leftMs > 0) timer = setTimeout(checkTime, leftMs);
    else end(new TransportError(tooLong(bound), begun ? 'reply-lost' : 'not-sent', { timedOut: true }));
  }

  function fail(error: unknown): void {
    leave();
    reject(toTransportError(error, { begun, proxy }));
  }

  function cancel(): void {
    end(new TransportError('cancelled', begun ? 'reply-lost' : 'not-sent'));
  }

  function end(error: TransportError): void {
    fail(error);
    controller?.abort(error);
  }

  signal?.addEventListener('abort', cancel);

  return {
    onRequestStart(started) {
      controller = started;
      if (signal?.aborted) return started.abort(new TransportError('cancelled', 'not-sent'));
      if (mayStart?.() === false)
        return started.abort(new TransportError('the connection was opened too late', 'not-sent'));
      begun = true;
      // The wait for a free connection has its own limit.
      since = performance.now();
    },
    onResponseStart(_, statusCode, incoming) {
      if (statusCode < 200) return;
      status = statusCode;
      headers = flattened(incoming);
      const length = Number(headers['content-length']);
      if (length >= largeBody && length <= maxBytes) large = Buffer.allocUnsafeSlow(length);
    },
    onResponseData(current, chunk) {
      const before = received;
      received += chunk.length;
      if (received > maxBytes) {
        current.abort(
          new TransportError(`the response is larger than ${maxBytes} bytes`, 'reply-lost', {
            permanent: true,
          }),
        );
        return;
      }
      if (large === undefined) chunks.push(chunk);
      else chunk.copy(large, before);
    },
    onResponseEnd() {
      leave();
      const joined = () => (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, received));
      const body = large?.subarray(0, received) ?? joined();
      chunks = [];
      resolve({ status, headers, body });
    },
    onResponseError(_, error) {
      fail(error);
    },
  };
}

/** A loop, because it is faster than pairs through `Object.fromEntries` and runs for each response. */
function flattened(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value !== undefined) flat[name.toLowerCase()] = typeof value === 'string' ? value : value.join(', ');
  }
  return flat;
}

function tooLong({ ms }: RequestBound): string {
  return `the response was not complete after ${Math.round(ms / 100) / 10} s`;
}
