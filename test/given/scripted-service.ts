import { createVirtualClock, type VirtualClock } from '../../src/core/lib/virtual-clock.ts';
import type { Client } from '../../src/service/client/client.ts';
import type { ClientEvent } from '../../src/service/client/client-event.ts';
import { type ClientOptions, createClient } from '../../src/service/client/create-client.ts';
import type { Credentials } from '../../src/service/client/credentials.ts';
import type { Action } from '../../src/service/contract/api.ts';
import type { Exchange, RequestMessage, ResponseMessage } from '../../src/service/contract/message.ts';
import { steadyPacer } from './steady-pacer.ts';

/** The service's reaction to one request: a response, or a failure like that of a transport. */
export type Turn =
  | ResponseMessage
  | Error
  | ((request: RequestMessage, signal?: AbortSignal) => Promise<ResponseMessage>);

export interface ScriptedService {
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly requests: readonly RequestMessage[];
  readonly events: readonly ClientEvent[];
  readonly pacers: ReadonlyMap<Action, ReturnType<typeof steadyPacer>>;
}

export const basicCredentials: Credentials = { kind: 'basic', companyId: '1234567890', psk: 'correct horse' };

/** A client of a service that takes one turn after another; the last one is taken again and again. */
export function scriptedService(
  turns: readonly Turn[],
  options: Partial<Omit<ClientOptions, 'exchange' | 'clock' | 'pacers' | 'onEvent'>> = {},
): ScriptedService {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1), { auto: true });
  const requests: RequestMessage[] = [];
  const events: ClientEvent[] = [];
  const pacers = new Map<Action, ReturnType<typeof steadyPacer>>();
  const exchange: Exchange = async (request, { signal } = {}) => {
    const turn = turns[Math.min(requests.length, turns.length - 1)];
    requests.push(request);
    if (turn instanceof Error) throw turn;
    if (typeof turn === 'function') return turn(request, signal);
    if (turn === undefined) throw new Error('the script is empty');
    return turn;
  };
  const client = createClient({
    credentials: basicCredentials,
    random: () => 0.5,
    ...options,
    exchange,
    clock,
    onEvent: (event) => events.push(event),
    pacers: (action, onWait) => {
      const pacer = steadyPacer(clock, onWait);
      pacers.set(action, pacer);
      return pacer;
    },
  });
  return { client, clock, requests, events, pacers };
}

export function answer(
  status: number,
  body: unknown = '',
  headers: Readonly<Record<string, string>> = {},
): ResponseMessage {
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return { status, headers, body: bytes };
}
