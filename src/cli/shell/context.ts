import { dirname, resolve } from 'node:path';
import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { createExchanges, type Exchanges } from '../../accounts/engine/exchanges.ts';
import { codeOf, reasonOf } from '../../core/lib/error-code.ts';
import { jsonText } from '../../core/lib/printable.ts';
import type { Redaction } from '../../core/lib/redaction.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { failed, hasErrors, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { DesiredLoader } from '../../input/load-desired.ts';
import { renderProblems } from '../../output/review/problem-text.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../run/apply/exit-code.ts';
import type { CheckedSignature } from '../../run/signature/check-signature.ts';
import { requiredSigners } from '../../run/signature/required-signers.ts';
import { readBytes } from '../../run/state/files/read-bytes.ts';
import { type FileAccess, makeFolder, replaceFile } from '../../run/state/files/replace-file.ts';
import { type Cutoff, createCutoff, interruptGraceMs } from '../../service/client/cutoff.ts';
import { systemClock } from '../../service/client/system-clock.ts';
import { createLiveStatus, type LiveStatus } from '../running/live-status.ts';
import { isLiveTerminal, withStatusLine } from '../running/status-line.ts';
import { createStateAccess, type StateAccess } from '../service/state-access.ts';
import { createRunEventHub, type RunEventHub } from './event-hub.ts';
import type { Io } from './io.ts';
import { problemLine } from './problem-document.ts';
import type { RecordProblem } from './record-problems.ts';
import { safeText } from './safe-output.ts';
import type { Settings } from './settings.ts';

/** The context of a command. Data goes to stdout, everything else to stderr. */
export interface Context {
  readonly io: Io;
  readonly settings: Settings;
  readonly redaction: Redaction;
  /** The account of rampart.config.yaml that the command is for; absent if the environment names the account. */
  readonly account?: AccountConfig;
  /** The accounts of a command that takes several; absent if the flags name one, or none. */
  readonly accounts?: readonly AccountConfig[];
  /** Reads the files that several selected accounts share once; absent for one account. */
  readonly loadFiles?: DesiredLoader;
  /** All events go to this hub. */
  readonly events: RunEventHub;
  readonly live: LiveStatus;
  /** The records of earlier runs: a folder, or a shared database. */
  readonly state: StateAccess;
  /** The signatures that this command has checked. */
  readonly signed: SignedPlans;
  /** The connections to services, which all accounts of the command share. */
  readonly exchanges: Exchanges;
  /** Ends requests when the command must end. */
  readonly cutoff: Cutoff;
  /**
   * Prints data. With `--format text` it is for people, and characters that could act on a terminal or a pipeline are
   * shown as symbols.
   */
  readonly print: (text: string) => void;
  /** Prints data unchanged: the content of a file, or words for a program. */
  readonly printExactly: (text: string) => void;
  readonly printJson: (value: unknown) => void;
  /** Prints a line for the user; nothing with `--quiet`. */
  readonly log: (line: string) => void;
  /** Prints problems; with `--quiet` only errors. */
  readonly report: (problems: readonly Problem[]) => void;
  /**
   * Reports what stopped the command, and returns its exit code. With `--json`, if nothing was printed yet, the
   * problems are also the data, as one line of JSON.
   */
  readonly fail: (problems: readonly Problem[]) => ExitCode;
  /** Makes a path from the command line absolute. */
  readonly path: (given: string) => string;
}

export function createContext(
  outside: Io,
  settings: Settings,
  redaction: Redaction,
  events: RunEventHub = createRunEventHub(),
  record?: RecordProblem,
): Context {
  const { io, status } = withStatusLine(outside);
  const isLive = isLiveTerminal(io) && !settings.quiet;
  let printed = false;
  const printExactly = (text: string) => {
    printed = true;
    io.stdout.write(text);
  };
  const print = (text: string) => printExactly(settings.format === 'text' ? safeText(text, io.stdout) : text);
  const report = (problems: readonly Problem[]) => {
    for (const each of problems) events.emit({ type: 'diagnostic', problem: each });
    const shown = settings.quiet ? problems.filter((each) => each.severity === 'error') : problems;
    if (record !== undefined) shown.forEach(record);
    else io.stderr.write(renderProblems(shown, { color: settings.errColor, columns: io.stderr.columns }));
  };
  const path = (given: string) => resolve(io.cwd, given);
  return {
    io,
    settings,
    redaction,
    events,
    state: createStateAccess({ io, settings, redaction, path }),
    signed: createSignedPlans(io.env),
    exchanges: createExchanges(io.env),
    // Time on a socket is real time, whatever clock the command uses.
    cutoff: createCutoff(systemClock),
    live: createLiveStatus(isLive ? status : undefined, io.clock),
    print,
    printExactly,
    printJson: (value) => printExactly(`${jsonText(value, 2)}\n`),
    log: (line) => {
      if (!settings.quiet) io.stderr.write(`${line}\n`);
    },
    report,
    fail: (problems) => {
      if (!hasErrors(problems)) throw new Error('the command failed without a message');
      if (settings.format === 'json' && !printed) printExactly(problemLine(problems));
      report(problems);
      return exitCodeOf(problems);
    },
    path,
  };
}

/** The plans whose signatures this command has checked. The accounts of a rollout share them. */
interface SignedPlans {
  /** From now on, no plan is applied without a signature. */
  require(): void;
  readonly isRequired: () => boolean;
  add(checksum: string, signature: CheckedSignature): void;
  get(checksum: string): CheckedSignature | undefined;
}

function createSignedPlans(env: Environment): SignedPlans {
  const checked = new Map<string, CheckedSignature>();
  let isRequired = requiredSigners(env) !== undefined;
  return {
    require() {
      isRequired = true;
    },
    isRequired: () => isRequired,
    add: (checksum, signature) => void checked.set(checksum, signature),
    get: (checksum) => checked.get(checksum),
  };
}

/** Replaces a whole file, or leaves the old one unchanged. */
export async function writeWhole(
  path: string,
  shown: string,
  text: string | Iterable<string>,
  { makesFolder = false, ...access }: FileAccess & { readonly makesFolder?: boolean } = {},
): Promise<Result<null>> {
  try {
    if (makesFolder) makeFolder(dirname(path));
    await replaceFile(path, text, access);
    return ok(null);
  } catch (error) {
    const hint = codeOf(error) === 'ENOENT' ? { hint: 'create its folder first' } : {};
    return failed(problem('file-not-written', `${shown} can't be written (${reasonOf(error)})`, hint));
  }
}

/** Selects the account in a command that a message suggests; empty if the environment names it. */
export function accountWords({ account }: Context): string {
  return account === undefined ? '' : ` --account ${account.name}`;
}

export async function readTextFile(path: string, shown: string): Promise<Result<string>> {
  const bytes = await readBytes(path, shown);
  return bytes.ok ? ok(bytes.value.toString('utf8')) : bytes;
}

/** Handles SIGINT and SIGTERM until `end` is called. */
export interface StopSignal {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Several signals within this time, in milliseconds, count as one: a shell sends a signal to the whole group, and a
 * runner repeats it.
 */
const oneSignalMs = 1_000;

/**
 * The first signal stops the command at a safe point, and requests in flight get a few seconds to finish; a second one
 * exits immediately. `keeps` describes what happens to the work so far: "what has arrived is kept".
 */
export function hearStop(context: Context, keeps?: string): StopSignal {
  const { io, cutoff } = context;
  const stop = new AbortController();
  let firstAt = 0;
  const end = io.onInterrupt(() => {
    const now = io.clock.now();
    if (stop.signal.aborted) {
      if (now - firstAt >= oneSignalMs) io.exitNow(exitCodes.interrupted);
      return;
    }
    firstAt = now;
    context.log(
      `Stopping at a safe point${keeps === undefined ? '' : `: ${keeps}`}. Requests in flight get ${interruptGraceMs / 1000} s to finish. Press Ctrl-C again to exit at once.`,
    );
    stop.abort();
    cutoff.interrupt();
  });
  return { signal: stop.signal, end };
}

/** Ends at the first signal. */
export function untilInterrupted({ io }: Context): Promise<void> {
  return new Promise((resolve) => {
    const off = io.onInterrupt(() => {
      off();
      resolve();
    });
  });
}

/** Signals, and whether a command handles them itself. */
export interface HeardSignals {
  /** The `io` for commands. */
  readonly io: Io;
  readonly outside: Io;
  readonly isHeard: () => boolean;
}

export function heardSignals(outside: Io): HeardSignals {
  let listeners = 0;
  const io: Io = {
    ...outside,
    onInterrupt(handler) {
      listeners += 1;
      const unhear = outside.onInterrupt(handler);
      return () => {
        listeners -= 1;
        unhear();
      };
    },
  };
  return { io, outside, isHeard: () => listeners > 0 };
}
