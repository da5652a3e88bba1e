import type { Clock } from '../core/lib/clock.ts';
import { type Problem, problem } from '../core/problem/problem.ts';
import type { ProblemCode } from '../core/problem/problem-code.ts';
import { failed, ok, type Result } from '../core/problem/result.ts';

/** The response of a forge, with its body read. */
export interface ForgeReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: unknown;
}

export interface ForgeCall {
  /** A description of the failure as part of a sentence: `the comments can't be read`. */
  readonly failure: string;
  /** Rejects if no answer came. */
  readonly send: () => Promise<ForgeReply>;
  /** May it be sent again if its outcome is unknown? */
  readonly repeatable: boolean;
}

/** Azure DevOps answers a wrong token with a page to sign in. */
const signInPage = 203;
const tries = 3;
const longestWaitMs = 60_000;
const pauseMs = 1000;

/** One call to GitHub or GitLab. It waits for short rate limits, and returns a failure as a problem. */
export async function callForge(
  { failure, send, repeatable }: ForgeCall,
  clock: Clock,
): Promise<Result<ForgeReply>> {
  for (let left = tries - 1; ; left -= 1) {
    const reply = await send().catch(() => undefined);
    if (reply !== undefined && reply.status < 300 && reply.status !== signInPage) return ok(reply);
    const wait = waitFor(reply, repeatable, clock);
    if (left === 0 || wait === undefined || wait > longestWaitMs) return failed(toProblem(failure, reply));
    await clock.sleep(wait);
  }
}

/** Milliseconds; undefined if retrying is useless. */
function waitFor(reply: ForgeReply | undefined, repeatable: boolean, clock: Clock): number | undefined {
  if (reply === undefined || reply.status >= 500) return repeatable ? pauseMs : undefined;
  if (!isLimit(reply)) return undefined;
  const asked = Number(reply.headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(asked)) return asked * 1000;
  const reset = Number(reply.headers['x-ratelimit-reset'] ?? reply.headers['ratelimit-reset'] ?? Number.NaN);
  return Number.isFinite(reset) ? Math.max(pauseMs, reset * 1000 - clock.now()) : longestWaitMs;
}

/** GitHub also answers 403 for a rate limit. */
function isLimit({ status, headers }: ForgeReply): boolean {
  if (status === 429) return true;
  return status === 403 && (headers['retry-after'] !== undefined || headers['x-ratelimit-remaining'] === '0');
}

function toProblem(failure: string, reply: ForgeReply | undefined): Problem {
  if (reply === undefined) return problem('network', `${failure}: no answer`);
  const message = messageOf(reply.body);
  return problem(codeOf(reply), `${failure}: ${reply.status}${message === '' ? '' : ` ${message}`}`);
}

function codeOf(reply: ForgeReply): ProblemCode {
  if (isLimit(reply)) return 'rate-limited';
  if (reply.status >= 500) return 'server-error';
  switch (reply.status) {
    case signInPage:
    case 401:
      return 'not-authenticated';
    case 403:
      return 'forbidden';
    case 404:
      return 'not-found';
    case 413:
      return 'too-large';
    case 422:
      return /too long/i.test(JSON.stringify(reply.body ?? '')) ? 'too-large' : 'bad-request';
    default:
      return 'bad-request';
  }
}

/** The message in a forge's error, cut to one line. */
function messageOf(body: unknown): string {
  const { message, error } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  const text = message ?? error;
  return typeof text === 'string' ? text.slice(0, 200) : '';
}
