import { createHash } from 'node:crypto';
import { parseExactJsonText } from '../../core/lib/exact-json.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { keyFault } from '../../core/lib/key-fault.ts';
import type { Clock, SecretReader } from '../../core/lib/surroundings.ts';
import { count } from '../../core/lib/words.ts';
import { bareAddress } from '../../core/model/account.ts';
import type { HttpRequest, RegisterContent } from '../../core/model/register-request.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import { requestBound } from '../client/request-bound.ts';
import { retryAfterMs } from '../client/retry-after.ts';
import { createUndiciExchange } from '../client/undici-exchange.ts';
import { type RequestMessage, type ResponseMessage, TransportError } from '../contract/message.ts';
import { type RegisterPage, readPage, usedHeaders } from './read-page.ts';
import { type Deadline, deadlineOf, type RegisterLogin, readRegisterSettings } from './register-settings.ts';
import { refusedRequest, unreadableSource } from './unreadable-source.ts';

export interface RegisterParts extends SecretReader {
  readonly clock: Clock;
  readonly pages?: PageStore;
}

/** Pages of earlier reads. A page is used again only after the register has said that it is unchanged. */
export interface PageStore {
  /** The pages of a request by their addresses; none if they can't be read. */
  read(key: string): Promise<StoredPages>;
  write(key: string, pages: StoredPages): Promise<void>;
}

export type StoredPages = ReadonlyMap<string, StoredPage>;

export interface StoredPage extends PageText {
  readonly etag: string;
}

interface PageText {
  readonly headers: ResponseMessage['headers'];
  readonly body: string;
}

const timeoutMs = 60_000;
const mostBytes = 64 * 1024 * 1024;
const mostPages = 20_000;
const mostTries = 4;
const longestWaitMs = 60_000;

/**
 * Reads all pages of a register, with GET only. Never gives a part of its rows: a page that fails, pages in a circle and a
 * sum of rows that is not the total are problems. No problem contains a row, a header or a body. Redirects are not followed.
 */
export function fetchRegister(request: HttpRequest, parts: RegisterParts): Promise<Result<RegisterContent>> {
  return withRegister(request, parts, (open) => readPages(request, open, parts));
}

/** Reads one JSON document of a source in the same way. */
export function fetchDocument(
  request: Pick<HttpRequest, 'source' | 'path'>,
  parts: RegisterParts,
): Promise<Result<unknown>> {
  return withRegister(request, parts, async ({ http, start, headers }) => {
    const reply = await http.get(`${start.pathname}${start.search}`, headers, request.source);
    return reply.ok ? documentOf(request.source, textOf(reply.value.body)) : reply;
  });
}

interface OpenRegister {
  readonly http: Getter;
  readonly start: URL;
  readonly headers: RequestMessage['headers'];
  /** The same for the same credentials; a token of a login differs each time. */
  readonly identity: readonly unknown[];
}

async function withRegister<T>(
  { source, path }: Pick<HttpRequest, 'source' | 'path'>,
  parts: RegisterParts,
  work: (open: OpenRegister) => Promise<Result<T>>,
): Promise<Result<T>> {
  const settings = readRegisterSettings(source, parts);
  if (!settings.ok) return settings;
  const { url, login, headers } = settings.value;
  const deadline = deadlineOf(source, parts.clock.now(), parts);
  if (!deadline.ok) return deadline;
  const root = `${bareAddress(url)}/`;
  const start = new URL(`${root}${path.replace(/^\/+/, '')}`);
  if (!start.href.startsWith(root))
    return failed(unreadableSource(source, 'the path leaves the address of the source'));
  const token = login === undefined ? ok(undefined) : await logIn(source, login, parts, deadline.value);
  if (!token.ok) return token;
  const opened = openExchange(url, parts, deadline.value);
  if (!opened.ok) return opened;
  const authorization = token.value === undefined ? {} : { authorization: `Bearer ${token.value}` };
  try {
    return await work({
      http: opened.value,
      start,
      headers: { accept: 'application/json', ...headers, ...authorization },
      identity: [root, headers, login?.clientId],
    });
  } finally {
    await opened.value.close();
  }
}

async function readPages(
  request: HttpRequest,
  { http, start, headers, identity }: OpenRegister,
  parts: RegisterParts,
): Promise<Result<RegisterContent>> {
  const { source } = request;
  // Other credentials may see other rows.
  const key = sha256Hex(JSON.stringify([request, identity]));
  const known = (await parts.pages?.read(key)) ?? new Map<string, StoredPage>();
  const stored = new Map<string, StoredPage>();
  const hash = createHash('sha256');
  const rows: unknown[] = [];
  const seen = new Set<string>();
  for (let page: RegisterPage | undefined; page === undefined || page.next !== undefined; ) {
    const address: URL = page?.next ?? firstAddress(request, start);
    if (address.origin !== start.origin)
      return failed(unreadableSource(source, 'the next page has another origin'));
    if (seen.has(address.href) || seen.size === mostPages)
      return failed(unreadableSource(source, 'its pages do not end'));
    seen.add(address.href);
    const got = await getPage(http, address, headers, { request, known: known.get(address.href) });
    if (!got.ok) return got;
    const { etag, body } = got.value;
    if (etag !== undefined) stored.set(address.href, { ...got.value, etag });
    hash.update(body);
    const document = documentOf(source, body);
    if (!document.ok) return document;
    const read = readPage(request, {
      address,
      headers: got.value.headers,
      document: document.value,
      rows: rows.length,
    });
    if (!read.ok) return read;
    page = read.value;
    for (const row of page.rows) rows.push(row);
    if (page.next === undefined && page.total !== undefined && page.total !== rows.length) {
      const what = `it has ${count(rows.length, 'row')}, and reports ${page.total}`;
      return failed(unreadableSource(source, `${what}: it ended early, or changed while it was read`));
    }
  }
  if (stored.size > 0) await parts.pages?.write(key, stored);
  return ok({
    rows,
    origin: `${start.origin}${start.pathname}`,
    hash: hash.digest('hex'),
    changedAt: new Date(parts.clock.now()).toISOString(),
  });
}

function firstAddress({ paging }: HttpRequest, start: URL): URL {
  const address = new URL(start);
  const { by, param, sizeParam, size, first } = paging;
  if (sizeParam !== undefined) address.searchParams.set(sizeParam, String(size));
  if (by === 'offset') address.searchParams.set(param, '0');
  if (by === 'page') address.searchParams.set(param, String(first));
  if (by === 'range') address.searchParams.set(param, `0-${size - 1}`);
  return address;
}

/** One page, or the stored one if it is unchanged in the register. */
async function getPage(
  { get }: Getter,
  { pathname, search }: URL,
  headers: RequestMessage['headers'],
  { request, known }: { readonly request: HttpRequest; readonly known: StoredPage | undefined },
): Promise<Result<PageText & { readonly etag?: string }>> {
  const { source } = request;
  const condition = known === undefined ? {} : { 'if-none-match': known.etag };
  const reply = await get(`${pathname}${search}`, { ...headers, ...condition }, source);
  if (!reply.ok) return reply;
  const { status } = reply.value;
  if (status === 304 && known !== undefined) return ok(known);
  const body = textOf(reply.value.body);
  if (body === undefined) return failed(unreadableSource(source, 'a page is not JSON'));
  const { etag } = reply.value.headers;
  const used = usedHeaders(request).flatMap((name) => {
    const value = reply.value.headers[name];
    return value === undefined ? [] : [[name, value]];
  });
  return ok({ headers: Object.fromEntries(used), body, ...(etag === undefined ? {} : { etag }) });
}

function textOf(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function documentOf(source: string, body = ''): Result<unknown> {
  try {
    const document = parseExactJsonText(body);
    if (keyFault(body) === undefined) return ok(document);
    return failed(unreadableSource(source, 'a page has a key twice in one object, or is nested too deeply'));
  } catch {
    return failed(unreadableSource(source, 'a page is not JSON'));
  }
}

interface Getter {
  get(path: string, headers: RequestMessage['headers'], source: string): Promise<Result<ResponseMessage>>;
  send(request: RequestMessage, source: string): Promise<Result<ResponseMessage>>;
  close(): Promise<void>;
}

function openExchange(url: URL, { env, clock }: RegisterParts, deadline: Deadline): Result<Getter> {
  const http = createUndiciExchange({
    baseUrl: url.origin,
    env,
    connections: 1,
    timeoutMs,
    bound: requestBound({ requestTimeoutMs: timeoutMs }),
    maxResponseBytes: mostBytes,
  });
  if (!http.ok) return http;
  const { exchange, close } = http.value;
  const send: Getter['send'] = async (request, source) => {
    for (let tries = 1; ; tries += 1) {
      const leftMs = deadline.at - clock.now();
      if (leftMs <= 0) return failed(deadline.problem);
      try {
        const reply = await exchange(request, { atMostMs: leftMs });
        const isUnchanged = reply.status === 304 && request.headers['if-none-match'] !== undefined;
        if (reply.status === 200 || reply.status === 206 || isUnchanged) return ok(reply);
        const wait = retryAfterMs(reply.headers, clock.now()) ?? 1000 * 2 ** tries;
        const mayRepeat = [429, 502, 503, 504].includes(reply.status) && wait <= longestWaitMs;
        if (!mayRepeat || tries === mostTries) return failed(refusedRequest(source, reply.status));
        await clock.sleep(Math.min(wait, leftMs));
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        if (error.permanent || tries === mostTries) {
          return failed(unreadableSource(source, `it can't be reached: ${error.message}`, error.hint));
        }
        await clock.sleep(1000 * 2 ** tries);
      }
    }
  };
  return ok({
    get: (path, headers, source) => send({ method: 'GET', path, headers, body: null }, source),
    send,
    close,
  });
}

async function logIn(
  source: string,
  login: RegisterLogin,
  parts: RegisterParts,
  deadline: Deadline,
): Promise<Result<string>> {
  const { url, clientId, clientSecret, scope } = login;
  const opened = openExchange(url, parts, deadline);
  if (!opened.ok) return opened;
  try {
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope === undefined ? {} : { scope }),
    });
    const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
    const request = { method: 'POST', path: url.pathname, headers, body: form.toString() } as const;
    const reply = await opened.value.send(request, source);
    if (!reply.ok) return reply;
    const document = documentOf(source, textOf(reply.value.body));
    if (!document.ok) return document;
    const token = (document.value as { readonly access_token?: unknown } | null)?.access_token;
    if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token))
      return failed(unreadableSource(source, 'the login returned no token'));
    parts.hide([token]);
    return ok(token);
  } finally {
    await opened.value.close();
  }
}
