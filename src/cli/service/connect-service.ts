import { type Configuration, readConfiguration } from '../../accounts/engine/configuration.ts';
import { type Connection, connectionOn, shareLists } from '../../accounts/engine/connection.ts';
import type { ClientRunEvent } from '../../accounts/engine/engine-parts.ts';
import { toAccount } from '../../accounts/engine/open-account.ts';
import type { Account } from '../../core/model/account.ts';
import type { CallEvent } from '../../core/model/run-event.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import { trackLists } from '../../run/state/track-lists.ts';
import { type Credentials, secretOf } from '../../service/client/credentials.ts';
import { requestBound } from '../../service/client/request-bound.ts';
import type { Exchange } from '../../service/contract/message.ts';
import { createEmulator } from '../../service/emulator/emulator.ts';
import type { FleetState } from '../../service/emulator/fleet-state.ts';
import { generateFleet } from '../../service/emulator/generate.ts';
import { printSeed } from '../../service/emulator/print-seed.ts';
import { readSeed } from '../../service/emulator/seed.ts';
import type { FleetReader } from '../../service/wire/fleet.ts';
import type { LiveStatus } from '../running/live-status.ts';
import { type Context, readTextFile, writeWhole } from '../shell/context.ts';
import type { EmulatorSettings } from '../shell/settings.ts';
import { checkOrigin } from '../trust/check-origin.ts';
import { readSeedFile, sampleHosts } from './emulated-accounts.ts';
import { readEmulatorSettings } from './emulator-settings.ts';
import { limitWords } from './limit-words.ts';

/** Only reads the configuration, and sends nothing yet. From here on the secrets are never printed. */
export async function connectService(context: Context): Promise<Result<Connection>> {
  const { settings, exchanges, state, io } = context;
  const shared = shownBy(context);
  if (settings.emulator !== undefined) {
    const embedded = await openEmulator(context, settings.emulator);
    if (!embedded.ok) return embedded;
    return ok(
      narrated(connectionOn({ ...shared, ...embedded.value, aliases: {} }), context),
      embedded.problems,
    );
  }
  const configuration = await configure(context);
  if (!configuration.ok) return configuration;
  const { baseUrl, credentials, aliases } = configuration.value;
  const exchange = exchanges.to(baseUrl, requestBound(settings));
  if (!exchange.ok) return exchange;
  const account = toAccount(configuration.value);
  const lists = trackLists(await state.prepare(account, io.clock.now()), io.clock);
  const close = async () => {
    const opened = await state.open();
    if (opened.ok) await shareLists(opened.value, account, lists);
    return ok(null);
  };
  const channel = { account, exchange: exchange.value, credentials, aliases, lists, close };
  return ok(narrated(connectionOn({ ...shared, ...channel }), context), configuration.problems);
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
    maySend: (target) => checkOrigin({ ...target, env: io.env, ask: (question) => io.prompt(question) }),
    ...(account === undefined ? {} : { account }),
  });
  if (configuration.ok) redaction.hide([secretOf(configuration.value.credentials)]);
  return configuration;
}

/** The parts of a connection that belong to the command: its calls are logged, and end with it. */
function shownBy(context: Context) {
  const { io, settings, cutoff, events } = context;
  const log = createCallLog(context);
  return {
    env: io.env,
    clock: io.clock,
    cutoff,
    maxWaitMs: settings.maxWaitMs,
    onEvent: (event: Parameters<typeof log>[0]) => {
      log(event);
      events.emit(event);
    },
  };
}

/** The same connection, whose reader shows on a terminal that it is reading. */
function narrated(connection: Connection, { live }: Context): Connection {
  const { reader } = connection;
  return { ...connection, reader: narratedReader(reader, live) };
}

function narratedReader(reader: FleetReader, live: LiveStatus): FleetReader {
  return {
    read: (options) => live.during('reading the fleet', () => reader.read(options)),
    readNames: (options) => live.during('reading the names', () => reader.readNames(options)),
  };
}

/** Shorter waits get no line. */
const longWaitMs = 2000;

/** Shorter waits are not mentioned. */
const minReportedMs = 10;

/** Logs long waits, and with `-v` each call, on stderr: method, path template and status. Never a header or a body. */
function createCallLog({ settings, log, live }: Context): (event: ClientRunEvent) => void {
  const { dim, yellow } = settings.errColor;
  return (event) => {
    switch (event.type) {
      case 'call':
        live.went(event.action);
        if (settings.verbose) log(dim(callWords(event)));
        return;
      case 'waiting':
        live.waiting(event.action, event.ms);
        if (settings.verbose || (event.ms >= longWaitMs && !live.isLive)) {
          log(yellow(`Waiting ${durationWords(event.ms)} for the ${limitWords(event.action)}.`));
        }
        return;
      case 'retry':
        if (settings.verbose)
          log(yellow(`${event.action} failed (${event.code}): retrying in ${durationWords(event.ms)}`));
        return;
    }
  };
}

function callWords({ method, path, status, ms, attempt, waitedMs }: CallEvent): string {
  const again = attempt === 1 ? '' : `, attempt ${attempt}`;
  const waited = waitedMs < minReportedMs ? '' : `, after ${waitWords(waitedMs)}`;
  return `${method} ${path} → ${status ?? 'no reply'} in ${Math.round(ms)} ms${again}${waited}`;
}

function waitWords(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : durationWords(ms);
}

interface OpenedEmulator {
  readonly exchange: Exchange;
  readonly credentials: Credentials;
  readonly account: Account;
  /** Writes the fleet to the state file, if there is one. */
  readonly close: () => Promise<Result<null>>;
}

/** The service embedded in this process. Its fleet comes from the state file if it exists, else from the seed. */
async function openEmulator(context: Context, flags: EmulatorSettings): Promise<Result<OpenedEmulator>> {
  const { state, set } = flags;
  const settings = await readEmulatorSettings(context, '--emulator-set', set);
  if (!settings.ok) return settings;
  const fleet = await openingFleet(context, flags);
  if (!fleet.ok) return fleet;
  const emulator = createEmulator({ ...settings.value, state: fleet.value, clock: context.io.clock });
  const { companyId, psk } = emulator.credentials;
  return ok({
    exchange: emulator.exchange,
    credentials: { kind: 'basic', companyId, psk },
    account: { companyId, service: 'emulator' },
    close: async () => (state === undefined ? ok(null) : save(context, state, printSeed(emulator.state()))),
  });
}

async function save(context: Context, file: string, text: string): Promise<Result<null>> {
  const path = context.path(file);
  return writeWhole(path, file, text, { makesFolder: true });
}

async function openingFleet(
  context: Context,
  { seed, state }: EmulatorSettings,
): Promise<Result<FleetState>> {
  if (state !== undefined) {
    const saved = await readTextFile(context.path(state), state);
    if (saved.ok) return readSeed(saved.value, state, context.io.clock.now());
    if (saved.problems.some((each) => each.code !== 'file-missing')) return saved;
  }
  return seed === undefined ? ok(generateFleet({ hosts: sampleHosts })) : readSeedFile(context, seed);
}
