import { signal } from '@preact/signals';
import type { Me } from '../../api/overview.ts';
import type { ProblemBody } from '../../api/resource.ts';

/** The problem, for a person. Status 0: there was no response. */
export type ApiProblem = Omit<ProblemBody, 'type'> & {
  /** After how many seconds the server wants to be asked again. */
  readonly retryAfter?: number;
};

export type ApiAnswer<Value> =
  | { readonly ok: true; readonly value: Value; readonly etag: string | null }
  | { readonly ok: false; readonly problem: ApiProblem };

export type Query = Readonly<
  Record<string, string | number | boolean | readonly string[] | null | undefined>
>;

/** The person or token that uses the console. Null until the server has said so. */
export const signedIn = signal<Me | null>(null);
/** The server no longer accepts the session. */
export const isExpired = signal(false);
/** How often the server refused something that the reader's roles seemed to allow. */
export const refusals = signal(0);
/** The last request got a response. */
export const isReachable = signal(true);

/** Responses to recent reads, the newest last: a page that is opened again shows at once what it last showed. */
const recent = new Map<string, { readonly etag: string | null; readonly value: unknown }>();
const kept = 40;

/** The response to an earlier read of the same address, if it is still kept. */
export function recentValue<Value>(path: string, query: Query = {}): Value | null {
  return (recent.get(addressOf(path, query))?.value as Value | undefined) ?? null;
}

/** Forgets all responses, for example after another person signed in. */
export function forgetRecent(): void {
  recent.clear();
}

/** Reads a resource below /api/v1. */
export async function read<Value>(
  path: string,
  query: Query = {},
  signal?: AbortSignal,
): Promise<ApiAnswer<Value>> {
  const address = addressOf(path, query);
  const earlier = recent.get(address);
  const headers = new Headers({ accept: 'application/json' });
  if (earlier?.etag) headers.set('if-none-match', earlier.etag);
  const answer = await call<Value>(address, { headers, ...(signal && { signal }) }, earlier?.value as Value);
  if (answer.ok) {
    recent.delete(address);
    recent.set(address, { etag: answer.etag, value: answer.value });
    const oldest = recent.keys().next().value;
    if (recent.size > kept && oldest !== undefined) recent.delete(oldest);
  }
  return answer;
}

/** Changes something below /api/v1. The same key for each attempt of one intent lets it take effect once. Null: it changes nothing. */
export function send<Value = unknown>(
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  key: string | null = crypto.randomUUID(),
): Promise<ApiAnswer<Value>> {
  const headers = new Headers({ accept: 'application/json' });
  if (key !== null) headers.set('idempotency-key', key);
  if (body !== undefined) headers.set('content-type', 'application/json');
  const csrf = signedIn.value?.csrf;
  if (csrf) headers.set('x-rampart-csrf', csrf);
  return call<Value>(addressOf(path, {}), {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function call<Value>(address: string, init: RequestInit, unchanged?: Value): Promise<ApiAnswer<Value>> {
  let response: Response;
  try {
    response = await fetch(address, {
      ...init,
      credentials: 'same-origin',
      redirect: 'error',
      cache: 'no-store',
    });
  } catch (error) {
    if (init.signal?.aborted !== true) isReachable.value = false;
    return { ok: false, problem: unreachable(error) };
  }
  isReachable.value = true;
  const etag = response.headers.get('etag');
  if (response.status === 304 && unchanged !== undefined) return { ok: true, value: unchanged, etag };
  if (response.status === 401) isExpired.value = true;
  if (response.status === 403) refusals.value += 1;
  const body = await bodyOf(response);
  if (response.ok) return { ok: true, value: body as Value, etag };
  return { ok: false, problem: problemOf(response, body) };
}

async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  try {
    return await response.json();
  } catch {
    return null;
  }
}

function problemOf({ status, headers }: Response, body: unknown): ApiProblem {
  const retryAfter = Number(headers.get('retry-after') ?? '');
  const found = (typeof body === 'object' && body !== null ? body : {}) as Partial<ProblemBody>;
  return {
    ...found,
    status,
    title: found.title ?? `The server responded with status ${status}.`,
    code: found.code ?? `http-${status}`,
    ...(Number.isInteger(retryAfter) && retryAfter > 0 && { retryAfter }),
  };
}

function unreachable(error: unknown): ApiProblem {
  return {
    status: 0,
    code: 'unreachable',
    title: "The server can't be reached.",
    detail: error instanceof Error ? error.message : String(error),
    hint: 'Check the connection. The console tries again automatically.',
  };
}

/** The address of a resource below /api/v1. */
export function addressOf(path: string, query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue;
    for (const each of Array.isArray(value) ? value : [value]) params.append(name, String(each));
  }
  params.sort();
  const text = params.toString();
  return `/api/v1${path}${text === '' ? '' : `?${text}`}`;
}

/** A path of names and ids that other people chose. */
export function pathOf(strings: TemplateStringsArray, ...parts: readonly string[]): string {
  return strings.reduce(
    (path, text, index) => path + encodeURIComponent((parts[index - 1] ?? '').toWellFormed()) + text,
  );
}
