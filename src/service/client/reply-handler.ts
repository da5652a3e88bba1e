import type { Dispatcher } from 'undici';
import { type ResponseMessage, TransportError } from '../contract/message.ts';
import { allowedMs, type RequestBound } from './request-bound.ts';
import { toTransportError } from './transport-error.ts';

export interface ReplyOptions {
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
export function createReplyHandler({
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
