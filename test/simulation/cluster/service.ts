import type { Exchanges } from '../../../src/accounts/engine/exchanges.ts';
import type { Clock } from '../../../src/core/lib/surroundings.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import {
  type Exchange,
  type RequestMessage,
  type ResponseMessage,
  TransportError,
} from '../../../src/service/contract/message.ts';
import { createEmulatedAccounts } from '../../../src/service/emulator/accounts.ts';
import { readClaim } from '../../../src/service/emulator/credentials.ts';
import type { Emulator } from '../../../src/service/emulator/emulator.ts';
import type { FaultEffect } from '../../../src/service/emulator/fault.ts';
import type { FleetState } from '../../../src/service/emulator/fleet-state.ts';
import type { Machine } from '../time/machine.ts';
import type { Random } from '../time/random.ts';

/** One request in the network. `sender` is one connection of one job. */
export interface SentRequest {
  readonly account: string;
  readonly sender: number;
  readonly machine: Machine;
  readonly request: RequestMessage;
}

/** Who watches the network. */
export interface Wire {
  /** Immediately before the first byte leaves. */
  sent(given: SentRequest): void;
  /** Immediately before the service works the request. */
  arrives(given: SentRequest): void;
  /** The service has processed the request; undefined if its response is lost. */
  worked(given: SentRequest, response: ResponseMessage | undefined): void;
  /** The service will not work the request any more. */
  over(given: SentRequest): void;
}

/** What the service does wrong at the moment, to this share of the calls. */
export interface Misbehavior {
  readonly share: number;
  readonly effects: readonly FaultEffect[];
  /** Gives a host another name than requested, and reports success. */
  readonly isRenaming?: boolean;
}

export interface SimulatedService {
  readonly emulators: ReadonlyMap<string, Emulator>;
  exchangesFor(machine: Machine): Exchanges;
  misbehave(how: Misbehavior | undefined): void;
  /** Whether it has misbehaved since that time. */
  hasMisbehavedSince(time: number): boolean;
}

export interface ServiceParts {
  readonly world: Clock;
  readonly random: Random;
  readonly accounts: ReadonlyMap<string, FleetState>;
  /** How long an install of an account takes, in milliseconds. */
  readonly installTakesMs: (account: string) => number;
  readonly wire: Wire;
  /** How long a request takes to arrive, in milliseconds: less than the margin of a lease. */
  readonly latencyMs: () => number;
}

const timeoutMs = 60_000;

export function createService({
  world,
  random,
  accounts,
  installTakesMs,
  wire,
  latencyMs,
}: ServiceParts): SimulatedService {
  let how: Misbehavior | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  /** How long the response takes to the call that the service has just received. */
  let slowMs = 0;
  const faults = (): readonly FaultEffect[] => {
    slowMs = 0;
    if (how === undefined || !random.isLikely(how.share)) return [];
    lastAt = world.now();
    for (const each of how.effects) if (each.kind === 'slow-reply') slowMs = each.ms;
    return how.effects.filter(({ kind }) => kind !== 'slow-reply');
  };
  const distorted = (request: RequestMessage): RequestMessage => {
    if (how?.isRenaming !== true || request.body === null || !random.isLikely(how.share)) return request;
    lastAt = world.now();
    return { ...request, body: request.body.replace(/(?<="newDescription":")/, 'not ') };
  };
  const names = [...accounts.keys()];
  const emulated = createEmulatedAccounts(
    [...accounts].map(([name, state], at) => ({
      state,
      switches: { installTakesMs: installTakesMs(name) },
      clock: world,
      recordRequests: false,
      faults,
      credentials: { loginSessionId: `session-${at}` },
    })),
  );
  if (!emulated.ok) throw new Error(emulated.problems[0]?.message);
  const { exchange: serve } = emulated.value;
  const byCompany = new Map([...accounts].map(([name, { companyId }]) => [companyId, name]));
  let senders = 0;

  const exchangeFor = (machine: Machine): Exchange => {
    const sender = (senders += 1);
    return async (request, { signal, mayStart, atMostMs = timeoutMs } = {}) => {
      // The request waits for its turn on a connection.
      await world.sleep(latencyMs());
      await machine.gate();
      if (signal?.aborted === true || mayStart?.() === false)
        throw new TransportError('cancelled', 'not-sent');
      const given = { account: accountOf(request, byCompany), sender, machine, request };
      wire.sent(given);
      const reply = arrive(given);
      try {
        return await untilOver(reply, atMostMs, signal);
      } finally {
        await machine.gate();
      }
    };
  };
  const arrive = async (given: SentRequest): Promise<ResponseMessage> => {
    await world.sleep(latencyMs());
    wire.arrives(given);
    const serving = serve(distorted(given.request));
    const ms = slowMs;
    let response: ResponseMessage | undefined;
    try {
      response = await serving;
      return response;
    } finally {
      wire.worked(given, response);
      wire.over(given);
      if (ms > 0) await world.sleep(ms);
    }
  };
  const untilOver = async (
    reply: Promise<ResponseMessage>,
    ms: number,
    signal: AbortSignal | undefined,
  ): Promise<ResponseMessage> => {
    const { promise, resolve, reject } = Promise.withResolvers<ResponseMessage>();
    const ended = new AbortController();
    const cancel = () => reject(new TransportError('the call was cancelled', 'reply-lost'));
    signal?.addEventListener('abort', cancel, { once: true });
    reply.then(resolve, reject);
    void world.sleep(ms, ended.signal).then(() => {
      if (!ended.signal.aborted)
        reject(new TransportError('the call took too long', 'reply-lost', { timedOut: true }));
    });
    try {
      return await promise;
    } finally {
      ended.abort('over');
      signal?.removeEventListener('abort', cancel);
    }
  };

  return {
    emulators: new Map(
      names.flatMap((name, at) => {
        const emulator = emulated.value.accounts[at];
        return emulator === undefined ? [] : [[name, emulator] as const];
      }),
    ),
    exchangesFor: (machine) => ({ to: () => ok(exchangeFor(machine)), close: async () => {} }),
    misbehave(given) {
      if (how !== undefined) lastAt = world.now();
      how = given;
    },
    hasMisbehavedSince: (time) => how !== undefined || lastAt >= time,
  };
}

/** The account that the key of a request is for. */
function accountOf({ headers }: RequestMessage, byCompany: ReadonlyMap<string, string>): string {
  const claim = readClaim(headers['authorization']);
  return (claim.kind === 'key' ? byCompany.get(claim.companyId) : undefined) ?? '';
}
