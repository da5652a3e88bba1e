import type { ProblemBody } from '../../api/resource.ts';
import { printable } from '../../core/lib/printable.ts';
import { type Problem, shownPlace } from '../../core/problem/problem.ts';
import type { ProblemCode } from '../../core/problem/problem-code.ts';
import { familyOf, type ProblemFamily } from '../../core/problem/problem-code.ts';

const statusOfFamily: Readonly<Record<ProblemFamily, number>> = {
  input: 422,
  fleet: 422,
  refused: 403,
  stale: 409,
  authentication: 403,
  service: 502,
  incomplete: 409,
  unverified: 409,
  local: 500,
};

const statusOfCode: Readonly<Partial<Record<ProblemCode, number>>> = {
  'bad-request': 400,
  'not-json': 400,
  'not-authenticated': 401,
  forbidden: 403,
  'not-found': 404,
  'not-allowed': 405,
  conflict: 409,
  'lock-held': 409,
  'too-large': 413,
  'ack-mismatch': 422,
  'limit-exceeded': 422,
  'group-limit-exceeded': 422,
  'rate-limited': 429,
  'timed-out': 504,
  state: 503,
};

/** The HTTP status of a problem that a route reports. */
export function statusOf(code: ProblemCode): number {
  return statusOfCode[code] ?? statusOfFamily[familyOf(code)];
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Not signed in',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  406: 'Not acceptable',
  408: 'Request timed out',
  409: 'Conflict',
  412: 'Precondition failed',
  413: 'Too large',
  415: 'Unsupported media type',
  422: 'Invalid request',
  428: 'Precondition required',
  429: 'Too many requests',
  431: 'Request headers too large',
  500: 'Internal error',
  502: 'The service failed',
  503: 'Unavailable',
  504: 'Timed out',
};

/** The body of an error response (RFC 9457): the first problem, and all of them if there are several. */
export function problemBodyOf(problems: readonly Problem[], status?: number): ProblemBody {
  const [first] = problems;
  const code = first?.code ?? 'unforeseen';
  const shown = status ?? statusOf(code);
  return {
    type: `urn:rampart:problem:${code}`,
    title: titles[shown] ?? 'Error',
    status: shown,
    ...(first === undefined ? {} : { detail: printable(first.message) }),
    code,
    ...placeAndHint(first),
    ...(problems.length > 1
      ? {
          problems: problems.map((each) => ({
            code: each.code,
            message: printable(each.message),
            ...placeAndHint(each),
          })),
        }
      : {}),
  };
}

function placeAndHint(problem: Problem | undefined): Pick<ProblemBody, 'hint' | 'place'> {
  const { hint, place } = problem ?? {};
  return {
    ...(hint === undefined ? {} : { hint: printable(hint) }),
    ...(place === undefined ? {} : { place: shownPlace(place) }),
  };
}

/** An error response with its headers. */
export function problemAnswer(
  problems: readonly Problem[],
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  const body = problemBodyOf(problems, options.status);
  return new Response(JSON.stringify(body), {
    status: body.status,
    headers: {
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
      ...(body.status === 401 ? { 'www-authenticate': 'Bearer realm="rampart"' } : {}),
      ...options.headers,
    },
  });
}
