import { defined } from '../../core/lib/defined.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { ansiColor, type Color, plainColor } from '../../output/review/color.ts';
import type { Io, Stream } from './io.ts';

/** Each format with its name in messages. Every command prints text and JSON, and declares the others that it prints. */
export const formatNames = {
  text: 'text',
  json: 'JSON',
  markdown: 'Markdown',
  html: 'HTML',
  csv: 'CSV',
  ndjson: 'NDJSON',
  yaml: 'YAML',
  hcl: 'HCL',
  cdktf: 'CDKTF stack',
  gitlab: 'GitLab report',
} as const;
export type Format = keyof typeof formatNames;

/** The global flags, as commander reads them. */
export interface GlobalFlags {
  readonly format: Format;
  readonly json?: true;
  readonly color: boolean;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly account?: readonly string[];
  readonly accounts?: string;
  readonly parallel?: number;
  readonly changedSince?: string;
  readonly stateDir?: string;
  readonly maxWait?: number;
  readonly requestTimeout?: number;
  readonly logFile?: string;
  readonly emulator?: true;
  readonly emulatorSeed?: string;
  readonly emulatorState?: string;
  readonly emulatorSet?: readonly string[];
}

/** Settings of any command. */
export interface Settings {
  readonly format: Format;
  readonly quiet: boolean;
  /** Logs each call on stderr. */
  readonly verbose: boolean;
  readonly outColor: Color;
  readonly errColor: Color;
  /** The values of --account. */
  readonly accountNames: readonly string[];
  /** The expression of --accounts. */
  readonly accountsWhere?: string;
  /** How many accounts a command runs for at the same time. */
  readonly parallel: number;
  /** Only the accounts that are affected by files changed since this Git revision. */
  readonly changedSince?: string;
  readonly stateDir: string;
  readonly maxWaitMs?: number;
  /** The time limit of one whole request. */
  readonly requestTimeoutMs?: number;
  /** The log file, as typed. */
  readonly logFile?: string;
  /** Absent: the real service. */
  readonly emulator?: EmulatorSettings;
}

export interface EmulatorSettings {
  /** A seed file; if absent, the built-in sample fleet. */
  readonly seed?: string;
  /** The file that stores the fleet between commands. */
  readonly state?: string;
  /** Its behavior: key=value, or @ and the path of a file. */
  readonly set?: readonly string[];
}

const usualParallel = 4;

export function toSettings(flags: GlobalFlags, { env, stdout, stderr }: Io): Settings {
  const { accounts, changedSince, maxWait, requestTimeout, logFile } = flags;
  const emulator = toEmulatorSettings(flags);
  return {
    format: flags.json === true ? 'json' : flags.format,
    quiet: flags.quiet === true,
    verbose: flags.verbose === true || env['RAMPART_LOG'] === 'debug',
    outColor: colorFor(stdout, flags.color, env),
    errColor: colorFor(stderr, flags.color, env),
    accountNames: flags.account ?? [],
    parallel: flags.parallel ?? usualParallel,
    stateDir: flags.stateDir ?? '.rampart',
    ...defined({
      accountsWhere: accounts,
      changedSince,
      maxWaitMs: maxWait,
      requestTimeoutMs: requestTimeout,
      logFile,
      emulator,
    }),
  };
}

/** Any flag of the embedded service enables it. */
function toEmulatorSettings(flags: GlobalFlags): EmulatorSettings | undefined {
  const { emulatorSeed: seed, emulatorState: state, emulatorSet: set } = flags;
  if (flags.emulator !== true && seed === undefined && state === undefined && set === undefined) {
    return undefined;
  }
  return defined({ seed, state, set });
}

/** `--no-color` overrides FORCE_COLOR, which overrides NO_COLOR; otherwise a terminal gets color. */
function colorFor(stream: Stream, isOn: boolean, env: Environment): Color {
  const force = env['FORCE_COLOR'] ?? '';
  if (!isOn) return plainColor;
  if (force !== '') return force === '0' ? plainColor : ansiColor;
  if ((env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb') return plainColor;
  return stream.isTerminal ? ansiColor : plainColor;
}
