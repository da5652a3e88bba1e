import { type Problem, problem } from '../../core/problem/problem.ts';
import type { Action } from '../contract/api.ts';
import type { Answer } from './answer.ts';
import { actionWords } from './call-words.ts';
import type { CallFailure } from './client.ts';
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
