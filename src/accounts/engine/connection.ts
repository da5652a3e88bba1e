import type { Clock, Environment } from '../../core/lib/surroundings.ts';
import type { Account } from '../../core/model/account.ts';
import { noCalls, type WriteAction } from '../../core/model/write-action.ts';
import type { Pace } from '../../core/plan/types/forecast.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { ListTracker } from '../../run/state/track-lists.ts';
import { type AdaptivePacer, createAdaptivePacer } from '../../service/client/adaptive-pacer.ts';
import type { Aliases } from '../../service/client/aliases.ts';
import type { Client } from '../../service/client/client.ts';
import type { ClientEvent } from '../../service/client/client-event.ts';
import { createClient } from '../../service/client/create-client.ts';
import type { Credentials } from '../../service/client/credentials.ts';
import type { Cutoff } from '../../service/client/cutoff.ts';
import type { Pacer, PaceState } from '../../service/client/pacer.ts';
import { readOnlyOf } from '../../service/client/read-only.ts';
import { type Action, api } from '../../service/contract/api.ts';
import type { Exchange } from '../../service/contract/message.ts';
import { createFleetReader } from '../../service/wire/create-fleet-reader.ts';
import { createFleetWriter } from '../../service/wire/create-fleet-writer.ts';
import type { FleetReader, FleetWriter } from '../../service/wire/fleet.ts';
import type { ClientRunEvent } from './engine-parts.ts';

/** The pace of the calls of one kind of step. */
export interface ActionPace extends PaceState {
  readonly action: WriteAction;
  /** As events name it, such as `renameHost`. */
  readonly name: Action;
}

/** A connection to a service, real or embedded. */
export interface Connection {
  readonly account: Account;
  readonly client: Client;
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  /** The measured pace of renames; null until enough were sent. */
  learnedPace(): Pace | null;
  /** The pace of each kind of write call that was sent. */
  paces(): readonly ActionPace[];
  /** How often the service has refused writes because of its rate limit. */
  refusals(): Readonly<Record<WriteAction, number>>;
  /** Closes the connection once, and saves the emulator's state if requested. */
  close(): Promise<Result<null>>;
}

export interface ConnectionParts {
  readonly account: Account;
  readonly exchange: Exchange;
  readonly credentials: Credentials;
  readonly aliases: Aliases;
  /** The times when anyone last read lists; absent for an embedded fleet. */
  readonly lists?: ListTracker;
  readonly env: Environment;
  readonly clock: Clock;
  readonly cutoff: Cutoff;
  readonly maxWaitMs?: number | undefined;
  readonly onEvent?: ((event: ClientRunEvent) => void) | undefined;
  readonly close?: () => Promise<Result<null>>;
}

/** Sends nothing yet. */
export function connectionOn(parts: ConnectionParts): Connection {
  const { account, exchange, credentials, aliases, lists, env, clock, cutoff, maxWaitMs, onEvent } = parts;
  const meter = createPaceMeter();
  const tally = createRefusalTally();
  const pacers = new Map<Action, AdaptivePacer>();
  const client = createClient({
    exchange,
    credentials,
    aliases,
    clock,
    pacers: (action, onWait) => {
      const notBefore = lists?.notBefore(action);
      const pacer = createAdaptivePacer({
        clock,
        onWait,
        ...(notBefore === undefined ? {} : { notBefore }),
      });
      pacers.set(action, pacer);
      if (action === 'renameHost') meter.watch(pacer);
      return pacer;
    },
    onEvent: (event) => {
      meter.hear(event);
      tally.hear(event);
      lists?.hear(event);
      onEvent?.(toRunEvent(event));
    },
    readOnly: readOnlyOf(env['RAMPART_READ_ONLY']),
    cutoff,
    ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
  });
  let closing: Promise<Result<null>> | undefined;
  const close = async () => {
    cutoff.close();
    await client.close();
    return parts.close?.() ?? ok(null);
  };
  return {
    account,
    client,
    reader: createFleetReader(client, { clock }),
    writer: createFleetWriter(client),
    learnedPace: () => meter.pace(),
    paces: () =>
      [...pacers].flatMap(([name, pacer]) => {
        const action = writeActionOf[name];
        return action === undefined ? [] : [{ action, name, ...pacer.state() }];
      }),
    refusals: () => tally.counts(),
    close: () => (closing ??= close()),
  };
}

/** Replaces the action by its path template, which contains no host. */
function toRunEvent(event: ClientEvent): ClientRunEvent {
  if (event.type !== 'call') return event;
  const { method, path } = api[event.action];
  return { ...event, method, path };
}

/**
 * Other users of the state then wait for their turn instead of being refused. If saving fails, the only cost is one
 * call.
 */
export async function shareLists(
  state: Pick<State, 'saveListTimes'>,
  account: Account,
  lists: ListTracker,
): Promise<void> {
  const times = lists.learned();
  if (times.length > 0) await state.saveListTimes(account, times);
}

/** How often the service refused writes because of its rate limit. */
interface RefusalTally {
  hear(event: ClientEvent): void;
  counts(): Readonly<Record<WriteAction, number>>;
}

/** What the steps of a plan call an action of the service. */
const writeActionOf: Readonly<Partial<Record<Action, WriteAction>>> = {
  renameHost: 'rename',
  moveHosts: 'move',
  deleteHosts: 'delete',
  installAntivirus: 'antivirus',
  refreshAntivirusStatus: 'refresh',
};

function createRefusalTally(): RefusalTally {
  const counts = { ...noCalls };
  return {
    hear(event) {
      const action = event.type === 'call' && event.status === 429 ? writeActionOf[event.action] : undefined;
      if (action !== undefined) counts[action] += 1;
    },
    counts: () => ({ ...counts }),
  };
}

/** Measures the service's pace during a run, for the forecasts of the next plan. */
interface PaceMeter {
  watch(renames: Pacer): void;
  hear(event: ClientEvent): void;
  pace(): Pace | null;
}

/** Fewer renames say nothing about the rate, because the pacer has not reached it yet. */
const enough = 100;

function createPaceMeter(): PaceMeter {
  let renames: Pacer | undefined;
  let calls = 0;
  let totalMs = 0;
  return {
    watch(pacer) {
      renames = pacer;
    },
    hear(event) {
      if (event.type !== 'call' || event.action !== 'renameHost' || event.status === null) return;
      calls += 1;
      totalMs += event.ms;
    },
    pace() {
      const rate = renames?.rate ?? null;
      if (rate === null || rate <= 0 || calls < enough) return null;
      return {
        rate: Math.round(rate * 100) / 100,
        latency: Math.max(0.001, Math.round(totalMs / calls) / 1000),
      };
    },
  };
}
