import type { z } from 'zod';
import { parseJson } from '../core/lib/parse-json.ts';
import type { Clock } from '../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../core/problem/problem.ts';
import type { ProblemCode } from '../core/problem/problem-code.ts';
import { retryAfterMs } from '../service/client/retry-after.ts';
import type { RequestMessage, ResponseMessage } from '../service/contract/message.ts';
import type { ForgeResult, IssueContent, Issues } from './forge.ts';

/** The address of a forge, and its token. */
export interface ForgePlace {
  /** The address of its REST API. */
  readonly api: string;
  /** The repository, or the project of GitLab and Azure. */
  readonly project: string;
  readonly token: string;
}

/** How a caller reaches a forge. */
export interface ForgeTransport {
  /** Sends one request, whose path begins at the root of the host. A failure means that no response came. */
  readonly send: (request: RequestMessage, failure: string) => Promise<Result<ResponseMessage>>;
  readonly clock: Clock;
  /** Whether the client itself waits for short rate limits and sends again. Otherwise each request is sent once. */
  readonly waits: boolean;
  readonly words: ForgeWords;
}

/** How a caller describes an unsuccessful response. */
export interface ForgeWords {
  /** `failure` is a part of a sentence: `the comments can't be read`. */
  refused(failure: string, reply: ForgeReply, code: ProblemCode): Problem;
  malformed(forge: string, what: string): Problem;
}

export interface ForgeReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** The text if it is not JSON. */
  readonly body: unknown;
}

export interface ForgeRequest {
  /** A description of the failure as part of a sentence: `the notes can't be read`. */
  readonly failure: string;
  /** POST with a body, and GET without one if absent. */
  readonly method?: RequestMessage['method'];
  /** Below the address of the API. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** JSON, or a form. */
  readonly body?: object | URLSearchParams;
  /** `application/json` if absent; that of a form for a form. */
  readonly type?: string;
  /** May it be sent again if its outcome is unknown? Everything but a POST if absent. */
  readonly repeatable?: boolean;
  /** Whether an unsuccessful response means that nothing is left to do. */
  readonly isDone?: (reply: ForgeReply) => boolean;
}

/** What is read, and the shape that it must have. */
interface Expected<T> {
  /** As part of a sentence: `comments`. */
  readonly what: string;
  readonly shape: z.ZodType<T>;
}

/** The requests and responses of one forge, in JSON. */
export interface ForgeClient {
  write(request: ForgeRequest): Promise<ForgeResult<null>>;
  read<T>(request: ForgeRequest, expected: Expected<T>): Promise<ForgeResult<T>>;
  /** All pages of a list whose items have the shape. */
  list<T>(request: ForgeRequest, expected: Expected<T[]>): Promise<ForgeResult<readonly T[]>>;
}

export interface ForgeClientOptions {
  /** The name of the forge. */
  readonly forge: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The path of the API on its host. */
  readonly root: string;
}

const onPage = 100;
const mostPages = 100;
const tries = 3;
const longestWaitMs = 60_000;
const pauseMs = 1000;
/** Azure DevOps responds to a wrong token with a page to sign in. */
const signInPage = 203;

export function createForgeClient(
  { send, clock, waits, words }: ForgeTransport,
  { forge, headers, root }: ForgeClientOptions,
): ForgeClient {
  const call = async (request: ForgeRequest): Promise<ForgeResult<ForgeReply>> => {
    const { failure, repeatable = methodOf(request) !== 'POST', isDone = () => false } = request;
    for (let left = waits ? tries - 1 : 0; ; left -= 1) {
      const sent = await send(toMessage(request, root, headers), failure);
      const reply = sent.ok ? toReply(sent.value) : undefined;
      if (reply !== undefined && (isSuccess(reply) || isDone(reply))) return ok(reply);
      const wait = waitFor(reply, repeatable, clock.now());
      if (left > 0 && wait !== undefined && wait <= longestWaitMs) {
        await clock.sleep(wait);
        continue;
      }
      if (reply === undefined) return failed(...sent.problems);
      return {
        ...failed(words.refused(failure, reply, codeOf(reply))),
        ...askedWait(reply.headers, clock.now()),
      };
    }
  };

  const read = async <T>(
    request: ForgeRequest,
    { what, shape }: Expected<T>,
  ): Promise<ForgeResult<{ readonly value: T; readonly reply: ForgeReply }>> => {
    const reply = await call(request);
    if (!reply.ok) return reply;
    const parsed = shape.safeParse(reply.value.body);
    return parsed.success
      ? ok({ value: parsed.data, reply: reply.value })
      : failed(words.malformed(forge, what));
  };

  return {
    async write(request) {
      const reply = await call(request);
      return reply.ok ? ok(null) : reply;
    },
    async read(request, expected) {
      const done = await read(request, expected);
      return done.ok ? ok(done.value.value) : done;
    },
    async list(request, expected) {
      const found = [];
      for (let page = 1; page <= mostPages; page += 1) {
        const query = { ...request.query, per_page: String(onPage), page: String(page) };
        const listed = await read({ ...request, query }, expected);
        if (!listed.ok) return listed;
        found.push(...listed.value.value);
        if (!hasNextPage(listed.value.reply)) break;
      }
      return ok(found);
    },
  };
}

/** GitLab gives the number of the next page, GitHub its address. */
function hasNextPage({ headers }: ForgeReply): boolean {
  return (headers['x-next-page'] ?? '') !== '' || /rel="next"/.test(headers['link'] ?? '');
}

function methodOf({ method, body }: ForgeRequest): RequestMessage['method'] {
  return method ?? (body === undefined ? 'GET' : 'POST');
}

function toMessage(
  request: ForgeRequest,
  root: string,
  headers: Readonly<Record<string, string>>,
): RequestMessage {
  const { path, query, body, type } = request;
  const isForm = body instanceof URLSearchParams;
  const usualType = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const search = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  const common = { 'user-agent': 'Rampart', accept: 'application/json', ...headers };
  return {
    method: methodOf(request),
    path: root + path + search,
    headers: body === undefined ? common : { ...common, 'content-type': type ?? usualType },
    body: body === undefined ? null : isForm ? body.toString() : JSON.stringify(body),
  };
}

function toReply({ status, headers, body }: ResponseMessage): ForgeReply {
  const text = new TextDecoder().decode(body);
  const json = parseJson(text);
  return { status, headers, body: json === undefined ? text : json };
}

function isSuccess({ status }: ForgeReply): boolean {
  return status >= 200 && status < 300 && status !== signInPage;
}

/** Milliseconds; undefined if sending again is useless. */
function waitFor(reply: ForgeReply | undefined, repeatable: boolean, now: number): number | undefined {
  if (reply === undefined || reply.status >= 500) return repeatable ? pauseMs : undefined;
  if (!isLimit(reply)) return undefined;
  return askedWait(reply.headers, now).askedMs ?? longestWaitMs;
}

/** GitHub also returns 403 for a rate limit. */
function isLimit({ status, headers }: ForgeReply): boolean {
  if (status === 429) return true;
  return status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0');
}

/** How long the headers of a refusal request to wait: `Retry-After`, or the end of a rate limit that is used up. */
export function askedWait(
  headers: Readonly<Record<string, string>>,
  now: number,
): { readonly askedMs?: number } {
  const asked = retryAfterMs(headers, now);
  if (asked !== undefined) return { askedMs: asked };
  const isSpent = [headers['x-ratelimit-remaining'], headers['ratelimit-remaining']].includes('0');
  const reset = Number(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']) * 1000;
  return isSpent && reset > now ? { askedMs: reset - now } : {};
}

function codeOf(reply: ForgeReply): ProblemCode {
  const { status, body } = reply;
  if (isLimit(reply)) return 'rate-limited';
  if (status >= 500) return 'server-error';
  if (status >= 300 && status < 400) return 'redirected';
  switch (status) {
    case signInPage:
    case 401:
      return 'not-authenticated';
    case 403:
      return 'forbidden';
    case 404:
    case 410:
      return 'not-found';
    case 413:
      return 'too-large';
    case 422:
      return /too long/i.test(JSON.stringify(body ?? '')) ? 'too-large' : 'bad-request';
    default:
      return 'bad-request';
  }
}

/** The words for someone at a terminal or in the log of a pipeline: they may quote the forge. */
export const pipelineWords: ForgeWords = {
  refused(failure, { status, body }, code) {
    const given: Readonly<Record<string, unknown>> = typeof body === 'object' ? { ...body } : {};
    const text = given['message'] ?? given['error'];
    const quoted = typeof text === 'string' && text !== '' ? ` ${text.slice(0, 200)}` : '';
    return problem(code, `${failure}: ${status}${quoted}`);
  },
  malformed: (forge, what) => problem('malformed-response', `${forge} did not return ${what}`),
};

/** How the issues of a forge are written, which differs in one method and a few members. */
interface IssueWrites {
  readonly issues: string;
  readonly change: 'PATCH' | 'PUT';
  readonly textOf: (content: IssueContent) => object;
  /** What closes an issue. */
  readonly closed: object;
}

export function issueWriter(
  client: ForgeClient,
  { issues, change, textOf, closed }: IssueWrites,
): Omit<Issues, 'listOpen'> {
  const changed = (failure: string, id: string, body: object) =>
    client.write({ failure, method: change, path: `${issues}/${id}`, body });
  return {
    create(content) {
      const body = { title: content.title, ...textOf(content) };
      return client.write({ failure: "the issue can't be opened", path: issues, body });
    },
    update: (id, content) => changed("the issue can't be changed", id, textOf(content)),
    close: (id, content) => changed("the issue can't be closed", id, { ...textOf(content), ...closed }),
  };
}

/** Did the forge refuse with this code? */
export function isRefusedAs(result: Result<unknown>, code: ProblemCode): boolean {
  return !result.ok && result.problems.some((each) => each.code === code);
}

/** The path of an address, without a slash at the end. */
export function rootOf(api: string): string {
  return new URL(api).pathname.replace(/\/+$/, '');
}
