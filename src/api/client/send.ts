import { setTimeout as pause } from 'node:timers/promises';
import { isLoopback } from '../../core/lib/loopback.ts';
import { connectionFailure } from './connection-failure.ts';
import type { Problem } from './generated/shapes.ts';

export interface ServerClientOptions {
  /** The address of the server, such as `https://rampart.example.com`. */
  readonly url: string;
  /** A token of the server, or a function that reads it for each request. */
  readonly token: string | (() => string | Promise<string>);
  /** Sends the requests; `fetch` by default. */
  readonly fetch?: typeof fetch;
  /** How often a request is sent again after a failure that may pass; 2 by default. */
  readonly retries?: number;
  /** How long one request may take, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Sent with each request, for example to name the program. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ServerCallOptions {
  readonly signal?: AbortSignal;
  /** The same key for each attempt of one intent, so that it takes effect once; a new one by default. */
  readonly idempotencyKey?: string;
  /** Only if the resource still has this ETag. */
  readonly ifMatch?: string;
}

/** The server's response, or a problem. */
export type ServerAnswer<Value> =
  | { readonly ok: true; readonly value: Value; readonly status: number; readonly etag: string | null }
  | {
      readonly ok: false;
      readonly problem: Problem;
      /** 0 if there was no response. */
      readonly status: number;
      /** When the server asks to try again, in seconds. */
      readonly retryAfterSeconds?: number;
    };

export interface ServerRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

export type Send = ReturnType<typeof createSender>;

const usualTimeoutMs = 30_000;
const usualRetries = 2;
/** The longest time between two attempts, in seconds. */
const longestWait = 30;
/** Failures that may pass: too many requests, and a server that is starting, stopping or without its database. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Sends requests to one server. Redirects are refused, so the token reaches nobody else. */
export function createSender(options: ServerClientOptions) {
  const { token, fetch: fetchIt = fetch, retries = usualRetries, timeoutMs = usualTimeoutMs } = options;
  const base = checkedAddress(options.url);

  /** One attempt. Rejects if there is no response. */
  async function attempt(request: ServerRequest, headers: Headers, signal: AbortSignal): Promise<Response> {
    const url = new URL(base + request.path);
    for (const [name, value] of Object.entries(request.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    headers.set('authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
    const body = request.body === undefined ? {} : { body: JSON.stringify(request.body) };
    return fetchIt(url, { method: request.method, headers, signal, redirect: 'error', ...body });
  }

  /** Opens a request whose response is read as a stream. */
  async function open(request: ServerRequest, more: Record<string, string>, signal: AbortSignal) {
    return attempt(request, new Headers({ ...options.headers, ...more }), signal);
  }

  async function send<Value>(request: ServerRequest, call: ServerCallOptions): Promise<ServerAnswer<Value>> {
    // An address leaves out such segments, so the request would reach another resource.
    if (request.path.split('/').some((segment) => segment === '.' || segment === '..')) return noSuchName;
    const headers = new Headers({ ...options.headers, accept: 'application/json' });
    if (request.body !== undefined) headers.set('content-type', 'application/json');
    if (request.method !== 'GET')
      headers.set('idempotency-key', call.idempotencyKey ?? globalThis.crypto.randomUUID());
    if (call.ifMatch !== undefined) headers.set('if-match', call.ifMatch);
    for (let tried = 0; ; tried += 1) {
      const answer = await once<Value>(request, headers, call.signal);
      const mayPass = !answer.ok && (answer.status === 0 || passing.has(answer.status));
      if (!mayPass || tried >= retries || call.signal?.aborted === true) return answer;
      const seconds = answer.retryAfterSeconds ?? 2 ** tried / 4;
      if (seconds > longestWait) return answer;
      await pause(seconds * 1_000, undefined, { signal: call.signal }).catch(() => {});
    }
  }

  async function once<Value>(
    request: ServerRequest,
    headers: Headers,
    signal: AbortSignal | undefined,
  ): Promise<ServerAnswer<Value>> {
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await attempt(
        request,
        headers,
        signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      );
      return await answerOf<Value>(response);
    } catch (error) {
      const code = signal?.aborted === true ? 'cancelled' : timeout.aborted ? 'timed-out' : 'network';
      return { ok: false, status: 0, problem: noAnswer(code, new URL(base), error) };
    }
  }

  return Object.assign(send, { open });
}

async function answerOf<Value>(response: Response): Promise<ServerAnswer<Value>> {
  const { status, headers } = response;
  const text = await response.text();
  let body: unknown = null;
  try {
    if (text !== '') body = JSON.parse(text);
  } catch {
    return { ok: false, status, problem: foreignAnswer(status) };
  }
  // Without this, another program that answers every request would seem to have carried it out.
  if (response.ok && headers.get('x-rampart-server') !== null)
    return { ok: true, value: body as Value, status, etag: headers.get('etag') };
  const after = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    ok: false,
    status,
    problem: isProblem(body) ? body : foreignAnswer(status),
    ...(Number.isFinite(after) ? { retryAfterSeconds: after } : {}),
  };
}

const noSuchName = {
  ok: false,
  status: 0,
  problem: {
    type: 'urn:rampart:problem:not-found',
    title: 'Not found',
    status: 0,
    code: 'not-found',
    detail: 'Nothing has the id or name "." or ".."',
  },
} as const;

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'title' in body;
}

function foreignAnswer(status: number): Problem {
  return {
    type: 'urn:rampart:problem:unexpected-status',
    title: 'Unexpected answer',
    status,
    detail: `The address answers ${status}, but not as a Rampart server does`,
    code: 'unexpected-status',
    hint: 'check the address of the server',
  };
}

function noAnswer(code: 'cancelled' | 'timed-out' | 'network', url: URL, error: unknown): Problem {
  const tryAgain = 'check the address and the network, then try again';
  return {
    type: `urn:rampart:problem:${code}`,
    title: 'No answer',
    status: 0,
    code,
    ...{
      cancelled: { detail: 'The request was cancelled', hint: tryAgain },
      'timed-out': { detail: `${url.origin} did not answer in time`, hint: tryAgain },
      network: connectionFailure(error, url),
    }[code],
  };
}

/** The address without a slash at the end. A token is sent without TLS to this machine only. */
function checkedAddress(given: string): string {
  const url = URL.parse(given);
  const isLocal = url?.protocol === 'http:' && isLoopback(url.hostname);
  if (url === null || (url.protocol !== 'https:' && !isLocal))
    throw new TypeError(
      'The address of the server must begin with https://, because the token is sent to it',
    );
  if (url.username !== '' || url.password !== '')
    throw new TypeError('The address of the server must not contain a user or a password');
  return url.origin + url.pathname.replace(/\/$/, '');
}
