import type { Clock } from '../../core/lib/surroundings.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { type Action, api, type ResponseBody } from '../contract/api.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { Exchange, RequestMessage } from '../contract/message.ts';
import type { Aliases } from './aliases.ts';
import { backoffMs } from './backoff.ts';
import type { BodyReader, CallFailure, CallInput, CallOptions, CallResult, Client } from './client.ts';
import type { ClientEvent } from './client-event.ts';
import { authorizationOf, type Credentials, secretsOf } from './credentials.ts';
import type { Cutoff } from './cutoff.ts';
import { cancelledBeforeSending, noReply, notSent, readOnlyRefusal, tooLate } from './failures.ts';
import type { Pacer } from './pacer.ts';
import { type AnswerReading, readAnswer } from './read-answer.ts';
import type { ReadOnly } from './read-only.ts';
import { serverTime } from './retry-after.ts';
import { createSecretGuard } from './secret-guard.ts';
import { sendOnce } from './send-once.ts';
import { writeRequest } from './write-request.ts';

export interface ClientOptions {
  readonly exchange: Exchange;
  readonly credentials: Credentials;
  readonly clock: Clock;
  /** Makes the pacer of one action, which calls `onWait` when a call must wait. Called once for each action. */
  readonly pacers: (action: Action, onWait: (ms: number) => void) => Pacer;
  /** Numbers from 0 up to 1, for the jitter between retries; `Math.random` if absent. */
  readonly random?: () => number;
  readonly aliases?: Aliases;
  readonly onEvent?: (event: ClientEvent) => void;
  /** The time limit of one whole request in milliseconds; only the transport's own if absent. */
  readonly timeoutMs?: number;
  /** Shortens requests when the work has to end. */
  readonly cutoff?: Cutoff;
  /**
   * How long a call may wait for a rate limit, in milliseconds; 5 minutes if absent. The time counts only while the
   * service accepts no call of the same action, so a long queue that advances is no reason to give up.
   */
  readonly maxWaitMs?: number;
  /** How often a call is retried after a failure that may be temporary; 4 if absent. Waits for limits do not count. */
  readonly retries?: number;
  /** Refuses everything except reads; `reports` also allows making reports, which change no host. */
  readonly readOnly?: ReadOnly;
  /** Closes the transport. */
  readonly close?: () => Promise<void>;
}

interface Sending {
  readonly signal: AbortSignal | undefined;
  readonly reader: BodyReader<never, unknown> | undefined;
  readonly mayStart: (() => boolean) | undefined;
  readonly attempt: number;
  readonly waitedMs: number;
  readonly step?: string;
}

export const defaultMaxWaitMs = 5 * 60 * 1000;
const defaultRetries = 4;
const makesReports: ReadonlySet<Action> = new Set(['createHardwareReport', 'createSystemReport']);

/** The service's client over any transport of plain messages (specification sections 4 to 8). */
export function createClient(options: ClientOptions): Client {
  const { clock, exchange, aliases = {}, onEvent = () => {}, random = Math.random } = options;
  const { retries = defaultRetries, timeoutMs, cutoff } = options;
  const authorization = authorizationOf(options.credentials);
  const holdsSecret = createSecretGuard(secretsOf(options.credentials));
  const sent = new Map<Action, number>();
  const pacers = new Map<Action, Pacer>();
  const acceptedAt = new Map<Action, number>();
  let clockSkewMs: number | undefined;

  function pacerOf(action: Action): Pacer {
    const known = pacers.get(action);
    if (known !== undefined) return known;
    const pacer = options.pacers(action, (ms) => onEvent({ type: 'waiting', action, ms }));
    pacers.set(action, pacer);
    return pacer;
  }

  function count(action: Action, requests: 1 | -1): void {
    sent.set(action, (sent.get(action) ?? 0) + requests);
  }

  async function exchangeOnce(
    action: Action,
    request: RequestMessage,
    { signal, reader, mayStart, ...details }: Sending,
  ): Promise<{ readonly status: number | null; readonly reading: AnswerReading }> {
    const start = clock.now();
    count(action, 1);
    const atMostMs = cutoff?.requestMs();
    const answer = await sendOnce(exchange, request, { clock, timeoutMs, signal, atMostMs, mayStart });
    if (answer.kind === 'none' && !answer.sent) count(action, -1);
    const now = clock.now();
    const status = answer.kind === 'response' ? answer.response.status : null;
    onEvent({ type: 'call', action, status, ms: now - start, ...details });
    if (answer.kind === 'none') return { status, reading: failing(noReply(action, answer, holdsSecret)) };
    const time = serverTime(answer.response.headers);
    if (time !== undefined) clockSkewMs = time - now;
    return { status, reading: readAnswer(action, answer.response, { aliases, holdsSecret, now, reader }) };
  }

  async function callUntilSettled(
    action: Action,
    request: RequestMessage,
    callOptions: CallOptions,
    reader?: BodyReader<never, unknown>,
  ): Promise<AnswerReading> {
    const { stop, priority = 0, maxWaitMs = options.maxWaitMs ?? defaultMaxWaitMs } = callOptions;
    const signal = eitherOf(callOptions.signal, cutoff?.signal);
    const leave = eitherOf(signal, stop);
    const pacer = pacerOf(action);
    const start = clock.now();
    const patienceMs = () => maxWaitMs - (clock.now() - Math.max(start, acceptedAt.get(action) ?? start));
    let repeated = 0;
    let refusal: CallFailure | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const queuedAt = clock.now();
      const turn = await pacer.acquire({
        ...(leave === undefined ? {} : { signal: leave }),
        priority,
        maxWaitMs: Math.max(0, patienceMs()),
        again: refusal !== undefined,
      });
      if (turn.kind === 'aborted') return failing(cancelledBeforeSending(action));
      if (turn.kind === 'too-late') return failing(tooLate(action, turn.waitMs, { maxWaitMs, refusal }));
      const { precondition } = callOptions;
      const unmet = precondition?.();
      if (unmet !== undefined) {
        turn.permit.dropped();
        return failing(notSent(unmet));
      }

      const sentAt = clock.now();
      const { status, reading } = await exchangeOnce(action, request, {
        signal,
        reader,
        // A connection may take longer than the lease of the run. The next attempt fails with the precondition's
        // problem.
        mayStart: precondition && (() => precondition() === undefined),
        attempt,
        waitedMs: sentAt - queuedAt,
        ...(callOptions.step === undefined ? {} : { step: callOptions.step }),
      });
      if (status === 429) turn.permit.refused(reading.waitMs);
      else if (status === null) turn.permit.dropped();
      else {
        acceptedAt.set(action, clock.now());
        turn.permit.accepted();
      }
      if (reading.ok) return reading;

      refusal = status === 429 ? reading.failure : undefined;
      if (refusal !== undefined) {
        if (patienceMs() <= 0) return reading;
        continue;
      }
      if (repeated >= retries || leave?.aborted || !mayPass(action, reading.failure)) return reading;
      // A request that took as long as the caller waits for a limit would take as long again.
      const isSpent = clock.now() - sentAt >= maxWaitMs || cutoff?.isEnding() === true;
      if (isSpent && reading.failure.problem.code === 'timed-out') return reading;
      const pauseMs = Math.max(backoffMs(repeated, random), reading.waitMs ?? 0);
      if (pauseMs > maxWaitMs) return reading;
      repeated += 1;
      onEvent({ type: 'retry', action, code: reading.failure.problem.code, ms: pauseMs });
      await clock.sleep(pauseMs, leave);
    }
  }

  async function callOnce(
    action: Action,
    { path = {}, body = null }: { readonly path?: Readonly<Record<string, string>>; readonly body?: unknown },
    callOptions: CallOptions,
    reader?: BodyReader<never, unknown>,
  ): Promise<AnswerReading> {
    const readOnly = options.readOnly ?? false;
    if (isRefused(action, readOnly)) return failing(readOnlyRefusal(action, readOnly));
    const request = writeRequest(action, { path, body }, { authorization, aliases });
    if (!request.ok) return failing(notSent(request.problems[0] as Problem));
    return callUntilSettled(action, request.value, callOptions, reader);
  }

  return {
    sent,
    get clockSkewMs() {
      return clockSkewMs;
    },
    call<A extends Action>(action: A, input: CallInput<A> = {}, callOptions: CallOptions = {}) {
      return callOnce(action, input, callOptions) as Promise<CallResult<ResponseBody<A>>>;
    },
    callFor<A extends Action, T>(
      action: A,
      reader: BodyReader<ResponseBody<A>, T>,
      callOptions: CallOptions = {},
    ) {
      return callOnce(action, {}, callOptions, reader) as Promise<CallResult<T>>;
    },
    close: async () => options.close?.(),
  };
}

function failing(failure: CallFailure): { readonly ok: false; readonly failure: CallFailure } {
  return { ok: false, failure };
}

function eitherOf(first: AbortSignal | undefined, second: AbortSignal | undefined): AbortSignal | undefined {
  return first !== undefined && second !== undefined ? AbortSignal.any([first, second]) : (first ?? second);
}

function isRefused(action: Action, readOnly: ReadOnly): boolean {
  if (readOnly === false || api[action].method === 'GET') return false;
  return readOnly === true || !makesReports.has(action);
}

/**
 * A read is retried after a failure that may be temporary; any other call only if the service can't have received it.
 */
function mayPass(action: Action, failure: CallFailure): boolean {
  const { repetition }: Endpoint = api[action];
  if (failure.permanent === true) return false;
  switch (failure.problem.code) {
    case 'network':
    case 'timed-out':
      return repetition === 'read' || failure.outcome === 'not-sent';
    case 'server-error':
    case 'malformed-response':
      return repetition === 'read';
    default:
      return false;
  }
}
