import type { Clock } from '../../core/lib/surroundings.ts';
import { untilAborted } from '../../core/lib/until-aborted.ts';
import {
  type Exchange,
  type ExchangeOptions,
  type RequestMessage,
  type ResponseMessage,
  TransportError,
} from '../contract/message.ts';
import { type EmulatedAnswer, toMessage, withMembers } from './answer.ts';
import { withFinishedInstalls } from './antivirus-handlers.ts';
import { errorMembers } from './connection-errors.ts';
import { defaultCredentials, type EmulatorCredentials } from './credentials.ts';
import { type PacedResponse, paced, received } from './drip.ts';
import { type Edit, edit } from './edit.ts';
import type { EmulatedAction } from './emulated-action.ts';
import { type CallInfo, type FaultEffect, type FaultPlan, faultsOf, findEffect } from './fault.ts';
import { answerAfterwards, answerInstead, idleService, shownFleet, spoilBody } from './faulty-answer.ts';
import type { FleetState } from './fleet-state.ts';
import { createFleetStore } from './fleet-store.ts';
import {
  authenticate,
  checkHeaders,
  isHeadRequest,
  type Passed,
  type Routed,
  readCheckedBody,
  routeRequest,
} from './gate.ts';
import { handlers } from './handlers.ts';
import { createLimiter, type Limiter, type RateLimit } from './limiter.ts';
import { createListCache } from './list-cache.ts';
import { tooManyRequests } from './rate-limit-answer.ts';
import { createReportStore } from './report-store.ts';
import { createRouter } from './router.ts';
import type { ActionHandler, Service } from './service.ts';
import { defaultSwitches } from './switch-table.ts';
import type { Switches } from './switches.ts';

/** The whole service in memory (specification sections 3 to 9): one account, its fleet and its faults. */
export interface Emulator {
  readonly exchange: Exchange;
  /** The same call for use by a socket: includes the pace at which the body is sent. */
  readonly respond: Respond;
  /** Every call, in order of arrival. Headers are not kept because they contain the key. */
  readonly requests: readonly RecordedRequest[];
  /** The accepted credentials. */
  readonly credentials: EmulatorCredentials;
  /** How many installs were accepted for each host. */
  readonly installs: ReadonlyMap<string, number>;
  state(): FleetState;
  /** Someone else changes the fleet. False if the console would refuse the edit. */
  edit(change: Edit): boolean;
  /** Applies from now on; an action without a limit is not limited. */
  setLimits(limits: RateLimits): void;
}

export type Respond = (request: RequestMessage, options?: ExchangeOptions) => Promise<PacedResponse>;

export type RateLimits = Readonly<Partial<Record<EmulatedAction, RateLimit>>>;

interface RecordedRequest extends CallInfo {
  /** The arrival time, in milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly body: string | null;
  /** Null: no response, or not yet. */
  readonly status: number | null;
}

/**
 * Called on arrival of each call, and after it is carried out but before the response is sent. If a hook throws, the
 * exchange rejects with that error.
 */
interface Hooks {
  readonly beforeEach?: (call: CallInfo) => void | Promise<void>;
  readonly afterEach?: (call: CallInfo, status: number) => void | Promise<void>;
}

export interface EmulatorOptions {
  readonly state: FleetState;
  readonly clock: Clock;
  readonly switches?: Partial<Switches>;
  readonly faults?: FaultPlan;
  /** None when absent. */
  readonly limits?: RateLimits;
  readonly hooks?: Hooks;
  /** Keep every request in `requests`; true if absent. Turn it off if the emulator runs for days. */
  readonly recordRequests?: boolean;
  /** Missing members come from the state, then from the emulator's defaults. */
  readonly credentials?: Partial<EmulatorCredentials>;
}

/** The credentials that an emulator with these options accepts. */
export function credentialsFor({ state, credentials }: EmulatorOptions): EmulatorCredentials {
  return {
    ...defaultCredentials(state.companyId),
    ...(state.psk === undefined ? {} : { psk: state.psk }),
    ...credentials,
  };
}

export function createEmulator(options: EmulatorOptions): Emulator {
  const { clock, state } = options;
  const switches: Switches = { ...defaultSwitches, ...options.switches };
  const credentials = credentialsFor(options);
  const store = createFleetStore(state);
  const service: Service = {
    store,
    switches,
    categories: state.categories,
    reports: createReportStore(switches),
    installs: new Map(),
    tickets: 0,
  };
  const router = createRouter(switches);
  const requests: RecordedRequest[] = [];
  let arrived = 0;
  const callsOf = new Map<EmulatedAction | null, number>();
  const cached = createListCache();
  let limiters = createLimiters(options.limits ?? {});

  function createLimiters(limits: RateLimits): ReadonlyMap<string, Limiter> {
    return new Map(Object.entries(limits).map(([action, limit]) => [action, createLimiter(limit)]));
  }

  function arrive(request: RequestMessage, action: EmulatedAction | null): CallInfo {
    const nth = (callsOf.get(action) ?? 0) + 1;
    callsOf.set(action, nth);
    const call: CallInfo = { index: arrived, action, nth };
    arrived += 1;
    if (options.recordRequests !== false) {
      const { method, path, body } = request;
      requests.push({ ...call, at: clock.now(), method, path, body, status: null });
    }
    return call;
  }

  function carryOut(
    request: RequestMessage,
    routed: Passed<Routed>,
    effects: readonly FaultEffect[],
  ): EmulatedAnswer {
    if (!routed.ok) return routed.answer;
    const { action, parameters } = routed.value;
    const profile = authenticate(request, action, credentials, switches);
    if (!profile.ok) return profile.answer;
    const refused = checkHeaders(request, switches);
    if (refused !== undefined) return refused;
    const limiter = limiters.get(action);
    const now = clock.now();
    if (limiter !== undefined && limiter.wait(now) > 0) {
      if (switches.refusedCallsCount) limiter.take(now);
      return tooManyRequests(switches, limiter.wait(now));
    }
    const answer = perform(request, { action, parameters, profile: profile.value, now }, effects);
    if (answer.status < 400 || switches.refusedCallsCount) limiter?.take(now);
    return answer;
  }

  /** Carries out the call after every check that does not need its body. */
  function perform(
    request: RequestMessage,
    { action, parameters, profile, now }: Admitted,
    effects: readonly FaultEffect[],
  ): EmulatedAnswer {
    const body = readCheckedBody(request, action, switches);
    if (!body.ok) return body.answer;
    const view = shownFleet(store, effects);
    const handler = handlers[action] as ActionHandler;
    const worked = findEffect(effects, 'nothing-done') === undefined ? service : idleService(service);
    const isHead = isHeadRequest(request);
    store.mark();
    const answerNow = (): EmulatedAnswer =>
      withPrefix(
        handler(worked, { parameters, body: body.value, profile, now, isHead, view }),
        action,
        switches,
      );
    return cached(action, view, answerNow);
  }

  async function reply(
    request: RequestMessage,
    routed: Passed<Routed>,
    call: CallInfo,
  ): Promise<PacedResponse> {
    const effects = options.faults === undefined ? [] : faultsOf(options.faults, call);
    if (findEffect(effects, 'refuse-connection') !== undefined) {
      throw new TransportError('the connection was refused', 'not-sent');
    }
    const latency = findEffect(effects, 'latency');
    if (latency !== undefined) await clock.sleep(latency.ms);
    const before = options.hooks?.beforeEach?.(call);
    if (before !== undefined) await before;
    const drop = findEffect(effects, 'drop');
    if (drop?.when === 'before') throw new TransportError('the connection was closed', 'reply-lost');

    const answer =
      answerInstead(effects, switches) ?? answerAfterwards(effects, carryOut(request, routed, effects));
    const isKnownPath = routed.ok || routed.answer.status !== 404;
    const whole = toMessage(isKnownPath ? withMembers(answer, errorMembers(request.path)) : answer);
    const message = isHeadRequest(request) ? withoutBody(whole) : spoilBody(whole, effects);

    const after = options.hooks?.afterEach?.(call, message.status);
    if (after !== undefined) await after;
    if (drop?.when === 'after') throw new TransportError('the connection was closed', 'reply-lost');
    const slow = findEffect(effects, 'slow-reply');
    if (slow !== undefined) await clock.sleep(slow.ms);
    return paced(message, effects, clock);
  }

  const respond: Respond = async (request, { signal } = {}) => {
    if (signal?.aborted) throw new TransportError('the call was cancelled', 'not-sent');
    const routed = routeRequest(request, router, switches);
    const call = arrive(request, routed.ok ? routed.value.action : null);
    const response = await untilGone(reply(request, routed, call), signal);
    const record = requests[call.index];
    if (record !== undefined) requests[call.index] = { ...record, status: response.message.status };
    return response;
  };

  return {
    async exchange(request, exchangeOptions = {}) {
      const response = await respond(request, exchangeOptions);
      if (response.pieces === undefined) return response.message;
      const { signal } = exchangeOptions;
      return untilGone(
        received(response, () => signal?.aborted === true),
        signal,
      );
    },
    respond,
    requests,
    credentials,
    installs: service.installs,
    state() {
      const hosts = [...withFinishedInstalls(store.now, clock.now()).hosts];
      return { ...store.state(), hosts };
    },
    edit(change) {
      store.mark();
      return edit(store, change, clock.now());
    },
    setLimits(limits) {
      limiters = createLimiters(limits);
    },
  };
}

/** A call that its headers and the limit of its action permit. */
interface Admitted extends Routed {
  readonly profile: string;
  readonly now: number;
}

/** The response to HEAD: the headers of the corresponding GET (RFC 9110, section 9.3.2). */
function withoutBody(message: ResponseMessage): ResponseMessage {
  const headers = { ...message.headers, 'content-length': String(message.body.length) };
  return { ...message, headers, body: new Uint8Array() };
}

function withPrefix(
  answer: EmulatedAnswer,
  action: EmulatedAction,
  { jsonPrefix }: Switches,
): EmulatedAnswer {
  const prefixed =
    jsonPrefix === 'everywhere' ||
    (jsonPrefix === 'custom-fields' &&
      (action === 'listCustomFields' || action === 'listCustomFieldCategories'));
  if (!prefixed || answer.status !== 200 || typeof answer.body !== 'string') return answer;
  return { ...answer, body: `)]}',\n${answer.body}` };
}

/** The caller stops waiting; the service continues with the call. */
function untilGone<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const gone = () => Promise.reject(new TransportError('the call was cancelled', 'reply-lost'));
  return untilAborted(work, signal, gone);
}
