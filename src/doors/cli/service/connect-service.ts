import type { Account } from '../../../core/model/account.ts';
import type { Pace } from '../../../core/plan/types/forecast.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { type ListTracker, trackLists } from '../../../run/state/track-lists.ts';
import { createAdaptivePacer } from '../../../service/client/adaptive-pacer.ts';
import type { Aliases } from '../../../service/client/aliases.ts';
import type { Client } from '../../../service/client/client.ts';
import type { ClientEvent } from '../../../service/client/client-event.ts';
import { createClient } from '../../../service/client/create-client.ts';
import { type Credentials, secretsOf } from '../../../service/client/credentials.ts';
import { readOnlyOf } from '../../../service/client/read-only.ts';
import { requestBound } from '../../../service/client/request-bound.ts';
import { createUndiciExchange } from '../../../service/client/undici-exchange.ts';
import { api } from '../../../service/contract/api.ts';
import type { Exchange } from '../../../service/contract/message.ts';
import { createFleetReader } from '../../../service/wire/create-fleet-reader.ts';
import { createFleetWriter } from '../../../service/wire/create-fleet-writer.ts';
import type { FleetReader, FleetWriter } from '../../../service/wire/fleet.ts';
import type { LiveStatus } from '../running/live-status.ts';
import type { Context } from '../shell/context.ts';
import { type ClientRunEvent, createCallLog } from './call-log.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { openEmulator } from './open-emulator.ts';
import { createPaceMeter } from './pace-meter.ts';

/** A connection to a service, real or embedded. */
export interface Connection {
  readonly account: Account;
  readonly client: Client;
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  /** The measured pace of renames; null until enough were sent. */
  learnedPace(): Pace | null;
  /** Closes connections, and saves the emulator's state if requested. */
  close(): Promise<Result<null>>;
}

/** Only reads the configuration, and sends nothing yet. From here on the secrets are never printed. */
export async function connectService(context: Context): Promise<Result<Connection>> {
  const { settings } = context;
  if (settings.emulator !== undefined) {
    const embedded = await openEmulator(context, settings.emulator);
    if (!embedded.ok) return embedded;
    const { account, close } = embedded.value;
    return ok(toConnection(context, { ...embedded.value, aliases: {} }, account, close), embedded.problems);
  }
  const configuration = await configure(context);
  if (!configuration.ok) return configuration;
  const { baseUrl, credentials, aliases } = configuration.value;
  const http = createUndiciExchange({ baseUrl, env: context.io.env, bound: requestBound(settings) });
  if (!http.ok) return http;
  const account = toAccount(configuration.value);
  const { state, io } = context;
  const lists = trackLists(await state.prepare(account, io.clock.now()), io.clock);
  const close = async () => {
    await http.value.close();
    await shareLists(context, account, lists);
    return ok(null);
  };
  const channel = { exchange: http.value.exchange, credentials, aliases, lists };
  return ok(toConnection(context, channel, account, close), configuration.problems);
}

/** The account of the configuration; sends nothing. */
export async function accountOf(context: Context): Promise<Result<Account>> {
  const { settings } = context;
  if (settings.emulator !== undefined) {
    const embedded = await openEmulator(context, settings.emulator);
    return embedded.ok ? ok(embedded.value.account) : embedded;
  }
  const configuration = await configure(context);
  return configuration.ok ? ok(toAccount(configuration.value), configuration.problems) : configuration;
}

async function configure({ io, account, redaction }: Context): Promise<Result<Configuration>> {
  const configuration = await readConfiguration({
    env: io.env,
    cwd: io.cwd,
    hide: redaction.hide,
    ask: (question) => io.prompt(question),
    ...(account === undefined ? {} : { account }),
  });
  if (configuration.ok) redaction.hide(secretsOf(configuration.value.credentials));
  return configuration;
}

interface Channel {
  readonly exchange: Exchange;
  readonly credentials: Credentials;
  readonly aliases: Aliases;
  /** The times when anyone last read lists; absent for an embedded fleet. */
  readonly lists?: ListTracker;
}

function toConnection(
  context: Context,
  { exchange, credentials, aliases, lists }: Channel,
  account: Account,
  close: () => Promise<Result<null>>,
): Connection {
  const { io, settings } = context;
  const { clock } = io;
  const meter = createPaceMeter();
  const log = createCallLog(context);
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
      if (action === 'renameHost') meter.watch(pacer);
      return pacer;
    },
    onEvent: (event) => {
      meter.hear(event);
      lists?.hear(event);
      const runEvent = toRunEvent(event);
      log(runEvent);
      context.events.emit(runEvent);
    },
    readOnly: readOnlyOf(io.env['RAMPART_READ_ONLY']),
    cutoff: context.cutoff,
    ...(settings.maxWaitMs === undefined ? {} : { maxWaitMs: settings.maxWaitMs }),
  });
  return {
    account,
    client,
    reader: narrated(createFleetReader(client, { clock }), context.live),
    writer: createFleetWriter(client),
    learnedPace: () => meter.pace(),
    async close() {
      context.cutoff.close();
      await client.close();
      return close();
    },
  };
}

/**
 * Others who share the state then wait for their turn instead of being refused. If saving fails, the only cost is one
 * call.
 */
async function shareLists(context: Context, account: Account, lists: ListTracker): Promise<void> {
  const times = lists.learned();
  if (times.length === 0) return;
  const state = await context.state.open();
  if (state.ok) await state.value.saveListTimes(account, times);
}

/** The same reader, which shows on a terminal that it is reading. */
function narrated(reader: FleetReader, live: LiveStatus): FleetReader {
  return {
    read: (options) => live.during('reading the fleet', () => reader.read(options)),
    readNames: (options) => live.during('reading the names', () => reader.readNames(options)),
  };
}

/** Replaces the action by its path template, which contains no host. */
function toRunEvent(event: ClientEvent): ClientRunEvent {
  if (event.type !== 'call') return event;
  const { method, path } = api[event.action];
  return { ...event, method, path };
}

/** The service's address without any part that could be secret. */
function toAccount({ baseUrl, companyId }: Configuration): Account {
  const { origin, pathname } = new URL(baseUrl);
  return { companyId, service: pathname === '/' ? origin : `${origin}${pathname.replace(/\/+$/, '')}` };
}
