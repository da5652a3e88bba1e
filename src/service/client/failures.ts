import { type Problem, problem } from '../../core/problem/problem.ts';
import type { ProblemCode } from '../../core/problem/problem-code.ts';
import { type Action, api } from '../contract/api.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { ResponseMessage } from '../contract/message.ts';
import type { Answer } from './answer.ts';
import { actionWords } from './call-words.ts';
import type { CallFailure } from './client.ts';
import type { ErrorAnswer } from './error-answer.ts';
import type { ReadOnly } from './read-only.ts';
import type { HoldsSecret } from './secret-guard.ts';
import { serviceText } from './service-text.ts';

/** No response came. */
export function noReply(
  action: Action,
  answer: Extract<Answer, { kind: 'none' }>,
  holdsSecret: HoldsSecret,
): CallFailure {
  const outcome = answer.sent ? 'unknown' : 'not-sent';
  return {
    problem: noReplyProblem(action, answer, holdsSecret),
    outcome,
    hostIds: [],
    ...(answer.permanent === true ? { permanent: true } : {}),
  };
}

function noReplyProblem(
  action: Action,
  answer: Extract<Answer, { kind: 'none' }>,
  holdsSecret: HoldsSecret,
): Problem {
  const call = actionWords(action);
  const reason = serviceText(answer.reason, holdsSecret) ?? 'no reason given';
  switch (answer.cause) {
    case 'cancelled':
      return problem('cancelled', `${call} was cancelled`);
    case 'timed-out':
      return problem('timed-out', `${call} got no answer in time: ${reason}`, {
        hint: 'try again; if this persists, check the network and the service, or allow more time with --request-timeout',
      });
    case 'network':
      return problem(
        'network',
        answer.sent ? `${call} got no answer: ${reason}` : `${call} could not be sent: ${reason}`,
        { hint: answer.hint ?? 'check RAMPART_BASE_URL and the network' },
      );
  }
}

/** The caller gave up before anything was sent. */
export function cancelledBeforeSending(action: Action): CallFailure {
  return notSent(problem('cancelled', `${actionWords(action)} was cancelled before it was sent`));
}

/** The request was never made. */
export function notSent(cause: Problem): CallFailure {
  return { problem: cause, outcome: 'not-sent', hostIds: [] };
}

const readOnlyHint =
  'unset RAMPART_READ_ONLY to allow it; RAMPART_READ_ONLY=reports allows inventory reports and nothing else';

export function readOnlyRefusal(action: Action, readOnly: ReadOnly): CallFailure {
  if (readOnly === 'unsigned')
    return notSent(
      problem('not-approved', `${actionWords(action)} is not sent: only signed plans may change hosts here`, {
        hint: 'plans of Terraform have no signature: apply a signed plan with rampart apply, or unset RAMPART_REQUIRE_SIGNATURE for Terraform',
      }),
    );
  return notSent(
    problem('read-only', `${actionWords(action)} is not sent: read-only mode forbids every write`, {
      hint: readOnlyHint,
    }),
  );
}

/** The next turn comes later than the caller can wait. */
export function tooLate(
  action: Action,
  waitMs: number,
  options: { readonly maxWaitMs: number; readonly refusal: CallFailure | undefined },
): CallFailure {
  const cause = problem(
    'rate-limited',
    `${actionWords(action)} is rate limited: the next call is possible in ${seconds(waitMs)}, and --max-wait allows ${seconds(options.maxWaitMs)}`,
    { hint: 'try again later, or allow a longer wait with --max-wait' },
  );
  return options.refusal === undefined ? notSent(cause) : { ...options.refusal, problem: cause };
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}

/**
 * A success whose body breaks the contract. A read then never counts as an absence, and the outcome of a write is
 * unknown.
 */
export function malformed(
  action: Action,
  status: number,
  detail: string,
  holdsSecret: HoldsSecret,
): CallFailure {
  return {
    problem: problem(
      'malformed-response',
      `${actionWords(action)} returned ${status} with an invalid body: ${serviceText(detail, holdsSecret) ?? 'it is empty'}`,
      { hint: 'try again; if this persists, check that no proxy changes or truncates the responses' },
    ),
    status,
    outcome: 'unknown',
    hostIds: [],
  };
}

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
