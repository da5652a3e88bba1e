import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { secretsOfUrl } from '../../core/lib/postgres-url.ts';
import { type Environment, isSet } from '../../core/lib/surroundings.ts';
import { count } from '../../core/lib/words.ts';
import { ok, problem } from '../../core/problem/problem.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { userFolder } from '../../run/state/origin/user-folder.ts';
import { stateUrlOf } from '../../run/state/state-url.ts';
import { type LogLevel, readLogLevel } from '../../run/telemetry/log-level.ts';
import { createServerLog, type ServerLog } from '../../run/telemetry/server-log.ts';
import { type EmulatedAccountsService, openEmulatedAccounts } from '../../server/emulated/open-emulated.ts';
import { readServerSettings } from '../../server/settings/read-server-settings.ts';
import { checkServer } from '../../server/start/check-server.ts';
import { needsSharedDatabase, type ServerParts } from '../../server/start/open-parts.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../server/start/start-server.ts';
import { printResult } from '../listing/print-listing.ts';
import { type Context, untilInterrupted } from '../shell/context.ts';
import { version } from '../shell/version.ts';

export interface ServerFlags {
  /** The folder of rampart.config.yaml. */
  readonly config?: string;
  readonly listen?: string;
  readonly check?: true;
  readonly http: boolean;
  readonly scheduler: boolean;
  readonly worker: boolean;
}

/** Serves until it is interrupted, or only checks the settings. */
export async function server(context: Context, flags: ServerFlags): Promise<ExitCode> {
  const { http, scheduler, worker } = flags;
  return serve(context, flags, { http, scheduler, worker });
}

export interface WorkerFlags {
  readonly config?: string;
}

/** Executes checks and runs until it is interrupted. */
export async function worker(context: Context, flags: WorkerFlags): Promise<ExitCode> {
  return serve(context, flags, { http: false, scheduler: false, worker: true });
}

type ServeFlags = Pick<ServerFlags, 'config' | 'listen' | 'check'>;

async function serve(context: Context, flags: ServeFlags, has: ServerOptions['has']): Promise<ExitCode> {
  setFlagsFromString(heapFlag);
  const { io, settings: given, redaction } = context;
  const level = readLogLevel(io.env['RAMPART_LOG']);
  if (!level.ok) return context.fail(level.problems);
  if (given.emulator?.seed !== undefined) return context.fail([noSeed]);
  const isEmulator = given.emulator !== undefined;
  const folder = context.path(flags.config ?? (isEmulator ? emulatedFolder : '.'));
  const stopped = untilInterrupted(context);
  let emulated: EmulatedAccountsService | undefined;
  let env: Environment = io.env;
  if (isEmulator) {
    const opened = await openEmulatedAccounts(folder, io.clock);
    if (!opened.ok) return context.fail(opened.problems);
    emulated = opened.value;
    env = { ...env, RAMPART_BASE_URL: emulated.url };
  }
  try {
    const settings = await readServerSettings({
      folder,
      env,
      ...(flags.listen === undefined ? {} : { listen: flags.listen }),
    });
    if (!settings.ok) return context.fail(settings.problems);
    const databaseUrl = isEmulator ? ok(undefined) : stateUrlOf({ env, path: context.path });
    if (!databaseUrl.ok) return context.fail(databaseUrl.problems);
    if (databaseUrl.value !== undefined) redaction.hide(secretsOfUrl(databaseUrl.value));
    if (databaseUrl.value === undefined && !(has.http || has.scheduler))
      return context.fail([needsSharedDatabase()]);
    const log = logOf(context, level.value);
    const options: ServerOptions = {
      settings: settings.value,
      env,
      clock: io.clock,
      log,
      hide: redaction.hide,
      version: version(),
      isEmulator,
      has,
      ...(emulated === undefined ? {} : { prepare: (parts) => prepareExamples(parts, emulated) }),
      onLink(link) {
        // A person waits for it, so no level and no --quiet hides it.
        if (io.stderr.isTerminal) io.stderr.write(`Sign in once with this link: ${link}\n`);
        else logAt(context, 'info')('info', 'sign in once with this link', { login_link: link });
      },
      emit: context.events.emit,
      ...(databaseUrl.value === undefined ? {} : { databaseUrl: databaseUrl.value }),
      ...auditKeyOf(env, { isEmulator, mayCreate: has.http || has.scheduler }),
    };
    if (flags.check === true) return await check(context, options);
    const started = await startServer(options);
    if (!started.ok) return context.fail(started.problems);
    context.report(started.problems);
    printStart(context, started.value, options);
    await stopped;
    options.log('info', 'stopping: no more jobs are taken, and runs end at a safe point');
    await started.value.stop();
    return exitCodes.success;
  } finally {
    await emulated?.close();
  }
}

/**
 * A process that works for months should not keep a multiple of the memory that its work needs. By default, V8 lets the
 * heap grow up to four times what is in use before it collects it. With a much smaller growth, it collects so often
 * that checks take a quarter more processor time.
 */
const heapFlag = '--heap-growing-percent=150';

/** The example of `--emulator` is written here, below the current folder. */
const emulatedFolder = join('.rampart', 'emulator');

const noSeed = problem(
  'usage',
  'rampart server --emulator has its own accounts, and does not accept a seed',
  {
    hint: 'run the service separately with rampart emulator --seed, and set RAMPART_BASE_URL',
  },
);

/** The emulated service is an example, which needs no signature. */
function auditKeyOf(
  env: Environment,
  { isEmulator, mayCreate }: { readonly isEmulator: boolean; readonly mayCreate: boolean },
): Pick<ServerOptions, 'auditKey'> {
  const folder = userFolder(env);
  return isEmulator || folder === undefined ? {} : { auditKey: { folder, mayCreate } };
}

/** On a terminal, only warnings are shown as lines of JSON, unless RAMPART_LOG requests more. */
function logOf(context: Context, level: LogLevel): ServerLog {
  const { io, settings } = context;
  const isSilent = io.stderr.isTerminal && !isSet(io.env, 'RAMPART_LOG');
  return logAt(context, settings.quiet ? 'error' : isSilent ? 'warn' : level);
}

function logAt({ io, redaction }: Context, level: LogLevel): ServerLog {
  return createServerLog({
    clock: io.clock,
    level,
    redact: redaction.redact,
    write: (line) => io.stderr.write(line),
  });
}

async function prepareExamples(
  { store, state }: ServerParts,
  { paused, left }: EmulatedAccountsService,
): Promise<void> {
  for (const { account, observed } of left) await state.saveFleet(account, observed);
  const known = new Set((await store.pauses.list()).map(({ scope }) => scope));
  for (const name of paused) {
    const scope = `account:${name}`;
    if (known.has(scope)) continue;
    await store.pauses.add({
      scope,
      by: { kind: 'operator', id: 'operator', name: 'operator' },
      reason: 'the office moves this week',
      until: null,
    });
  }
}

function printStart(
  context: Context,
  running: RunningServer,
  { settings, isEmulator, has }: ServerOptions,
): void {
  const { url, loginLink, parts } = running;
  const accounts = count(settings.accounts.length, 'account');
  const document = { url, login_link: loginLink, accounts: settings.accounts.length };
  const lines = [
    `Rampart Server ${has.http ? `runs at ${url}` : 'runs without HTTP'}, with ${accounts}${isEmulator ? ' of an emulated service' : ''}.`,
    `Records: ${parts.database.place}.`,
    ...(isEmulator ? [`Desired state and settings: ${settings.folder}.`] : []),
  ];
  if (loginLink !== null) {
    lines.push(
      '',
      'Without "login" in rampart.config.yaml it is open to this machine only. Sign in once with this link:',
      '',
      `  ${loginLink}`,
    );
  }
  printResult(context, document, `${lines.join('\n')}\n`);
  if (context.io.stderr.isTerminal && context.settings.format === 'text')
    context.log('Press Ctrl-C to stop it.');
}

async function check(context: Context, options: ServerOptions): Promise<ExitCode> {
  const checked = await checkServer(options);
  if (!checked.ok) return context.fail(checked.problems);
  context.report(checked.problems);
  return printResult(context, checked.value, `${checked.value.lines.join('\n')}\n`);
}
