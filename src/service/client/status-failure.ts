import { problem } from '../../core/problem/problem.ts';
import type { ProblemCode } from '../../core/problem/problem-code.ts';
import { type Action, api } from '../contract/api.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { ResponseMessage } from '../contract/message.ts';
import { actionWords } from './call-words.ts';
import type { CallFailure } from './client.ts';
import type { ErrorAnswer } from './error-answer.ts';
import type { HoldsSecret } from './secret-guard.ts';
import { serviceText } from './service-text.ts';

/** The meaning for the caller of a status other than the expected success (specification section 7). */
export function statusFailure(
  action: Action,
  response: ResponseMessage,
  error: ErrorAnswer,
  holdsSecret: HoldsSecret,
): CallFailure {
  const { status } = response;
  const endpoint: Endpoint = api[action];
  const code = codeOf(status);
  const meaning = endpoint.responses[status]?.meaning ?? usualMeaning[status];
  const location =
    code === 'redirected' ? serviceText(response.headers['location'] ?? '', holdsSecret) : null;
  const parts = [
    `${actionWords(action)} returned ${status}`,
    meaning === undefined ? '' : ` (${meaning})`,
    location === null ? '' : `, a redirect to ${location}`,
    error.message === null ? '' : `: ${error.message}`,
  ];
  return {
    problem: problem(code, parts.join(''), {
      hint: hints[code],
      ...(error.hostIds.length === 0 ? {} : { hostIds: error.hostIds }),
    }),
    status,
    outcome: outcomeOf(endpoint, status),
    hostIds: error.hostIds,
  };
}

/** After a success status that the contract does not know, or a 5xx response to a write, the outcome is unknown. */
function outcomeOf(endpoint: Endpoint, status: number): CallFailure['outcome'] {
  if (status < 300) return 'unknown';
  return status >= 500 && endpoint.repetition !== 'read' ? 'unknown' : 'refused';
}

type StatusCode = Extract<ProblemCode, keyof typeof hints>;

function codeOf(status: number): StatusCode {
  const known = codes[status];
  if (known !== undefined) return known;
  if (status >= 300 && status < 400) return 'redirected';
  return status >= 500 && status < 600 ? 'server-error' : 'unexpected-status';
}

const codes: Readonly<Record<number, StatusCode>> = {
  400: 'bad-request',
  401: 'not-authenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'not-allowed',
  409: 'conflict',
  413: 'too-large',
  415: 'not-json',
  429: 'rate-limited',
};

/** For statuses that the contract of an action does not name. */
const usualMeaning: Readonly<Record<number, string>> = {
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  409: 'conflict',
  413: 'the request is too large',
  429: 'denied due to rate limiting',
  500: 'internal error',
  502: 'bad gateway',
  503: 'unavailable',
  504: 'gateway timeout',
};

const hints = {
  'bad-request': 'check the ids and values of the call; if the fleet has changed, plan again',
  'not-authenticated':
    'check the company ID, the key (or the session) and the authentication method with "rampart doctor credentials"',
  forbidden:
    'check the credentials with "rampart doctor credentials", and the rights of their profile in the console',
  'not-found': "check that it still exists, and that RAMPART_BASE_URL is the service's address",
  'not-allowed': "check that the host is online and that RAMPART_BASE_URL is the service's address",
  conflict: 'plan again: another host has the name, or a session is in progress',
  'too-large': 'send fewer ids in one call',
  'not-json': 'check that no proxy between here and the service changes the request',
  'rate-limited': 'try again later, or allow a longer wait with --max-wait',
  'server-error': "try again later; if this persists, contact the service's support",
  redirected:
    'set RAMPART_BASE_URL to the final address: redirects are not followed because they would forward the credentials',
  'unexpected-status':
    "check that RAMPART_BASE_URL is the service's address and that no proxy answers in its place",
} as const satisfies Partial<Record<ProblemCode, string>>;
