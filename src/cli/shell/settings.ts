import { InvalidArgumentError } from 'commander';
import { parseMaxFailed, parseShares } from '../../accounts/config/rollout-values.ts';
import type { AccountAck } from '../../accounts/rollouts/spread-acks.ts';
import { defined } from '../../core/lib/defined.ts';
import { parseDuration } from '../../core/lib/parse-duration.ts';
import { type Environment, isSet } from '../../core/lib/surroundings.ts';
import { ticketNumber } from '../../core/model/ticket-rule.ts';
import type { AckKind, Acks } from '../../core/plan/types/plan.ts';
import { ansiColor, type Color, plainColor } from '../../output/review/color.ts';
import type { Canary } from '../../run/apply/apply-staged.ts';
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
  if (isSet(env, 'NO_COLOR') || env['TERM'] === 'dumb') return plainColor;
  return stream.isTerminal ? ansiColor : plainColor;
}

/** Reads the value of a flag. `words` say what it must be, if `parse` does not find a value in it. */
export function valueReader<T>(parse: (text: string) => T | undefined, words: string): (text: string) => T {
  return (text) => {
    const value = parse(text);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${words}.`);
    return value;
  };
}

export const durationOption = valueReader(flagDuration, 'a time such as 30s, 5m or 24h');

export function countOption(minimum: number, maximum = 999_999_999): (text: string) => number {
  const isCount = (value: number) => value >= minimum && value <= maximum;
  return valueReader(
    (text) => (/^\d{1,9}$/.test(text) && isCount(Number(text)) ? Number(text) : undefined),
    `a whole number from ${minimum} to ${maximum}`,
  );
}

/** A moment relative to the current time, in milliseconds since the epoch. */
export type Moment = (now: number) => number;

/** `24h` means that long ago; anything else is a date or a time in RFC 3339. */
export const readMoment = valueReader((text): Moment | undefined => {
  const ago = /[a-z]$/.test(text) ? flagDuration(text) : undefined;
  if (ago !== undefined) return (now) => now - ago;
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = isTime ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : () => time;
}, 'a time such as 2026-11-21T09:00:00Z, or a duration before now, such as 24h');

export const readCommit = valueReader(
  (text) => (/^[0-9a-f]{4,64}$/i.test(text) ? text.toLowerCase() : undefined),
  'a Git commit, or at least its first 4 digits',
);

/** For flags that may be repeated. */
export function collect(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, text];
}

export const readRate = valueReader((text) => {
  const rate = Number(text);
  return text.trim() !== '' && Number.isFinite(rate) && rate > 0 ? rate : undefined;
}, 'a number of calls per second, above 0');

/** `--ack delete=28`, once for each kind. */
export function readAck(text: string, earlier: Acks = {}): Acks {
  const match = /^(delete|rename|move|antivirus)=(\d{1,9})$/.exec(text);
  if (match === null)
    throw new InvalidArgumentError(
      'It must have the form delete=28, with the kind delete, rename, move or antivirus.',
    );
  const kind = match[1] as AckKind;
  if (earlier[kind] !== undefined) throw new InvalidArgumentError(`It is set twice for ${kind}.`);
  return { ...earlier, [kind]: Number(match[2]) };
}

/** `--ack delete=28` or `--ack berlin:delete=3`, as often as needed. */
export function readAccountAck(text: string, earlier: readonly AccountAck[] = []): readonly AccountAck[] {
  const match = /^(?:([^:=]+):)?(delete|rename|move|antivirus)=(\d{1,9})$/.exec(text);
  if (match === null)
    throw new InvalidArgumentError(
      'It must have the form delete=28, or berlin:delete=3 for one of several accounts, with the kind delete, rename, move or antivirus.',
    );
  const account = match[1];
  const kind = match[2] as AckKind;
  if (earlier.some((each) => each.kind === kind && each.account === account))
    throw new InvalidArgumentError(
      `It is set twice for ${account === undefined ? kind : `${account}:${kind}`}.`,
    );
  return [...earlier, { ...(account === undefined ? {} : { account }), kind, count: Number(match[3]) }];
}

/** The approvals for a single plan. */
export function singlePlanAcks(acks: readonly AccountAck[]): Acks {
  return Object.fromEntries(
    acks.flatMap(({ account, kind, count }) => (account === undefined ? [[kind, count]] : [])),
  );
}

export const readTicket = valueReader(
  (text) => (ticketNumber.test(text) ? text : undefined),
  'at most 64 letters, digits, points, hyphens and underscores',
);

/** `--waves 10%,50%,100%` */
export const readShares = valueReader(
  (text) => parseShares(text.split(',').map((each) => each.trim())),
  'percentages that increase up to 100%, such as 10%,50%,100%',
);

/** `--max-failed 2%` or `--max-failed 3`. */
export const readMaxFailed = valueReader(parseMaxFailed, 'a percentage such as 2%, or a number of accounts');

/** `--canary 10` or `--canary 5%`. */
export const readCanary = valueReader((text): Canary | undefined => {
  const match = /^([1-9]\d{0,8})(%?)$/.exec(text);
  const value = Number(match?.[1]);
  if (match === null || (match[2] === '%' && value > 100)) return undefined;
  return match[2] === '%' ? { kind: 'share', percent: value } : { kind: 'count', count: value };
}, 'a number of hosts, or a percentage such as 5%');

/** In a flag, a number without a unit is in seconds, and `ms` is a unit too. */
function flagDuration(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,9})(ms|s)?$/.exec(text.trim()) ?? [];
  return number === undefined ? parseDuration(text.trim()) : Number(number) * (unit === 'ms' ? 1 : 1000);
}
