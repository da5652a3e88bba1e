import { type Logger, pino } from 'pino';
import { printableJson } from '../../core/lib/printable.ts';
import type { Clock } from '../../core/lib/surroundings.ts';
import { fileAndLine, type Problem } from '../../core/problem/problem.ts';
import type { LogLevel } from './log-level.ts';

export interface ServerLogOptions {
  readonly clock: Clock;
  readonly level: LogLevel;
  /** Removes secrets from a line. */
  readonly redact: (text: string) => string;
  readonly write: (line: string) => void;
}

/** The log of a server: one JSON object per line, without control characters and secrets. */
export interface ServerLog {
  (level: Exclude<LogLevel, 'off'>, message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export function createServerLog(options: ServerLogOptions): ServerLog {
  const logger = createLogger(options);
  return (name, message, fields = {}) => logger[name](fields, message);
}

/** Each line also has these fields. */
export function createLogger({ clock, level, redact, write }: ServerLogOptions, fields = {}): Logger {
  return pino(
    {
      level: level === 'off' ? 'silent' : level,
      base: { pid: process.pid, ...fields },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => write(printableJson(redact(line))) },
  );
}

/** Logs a problem as one record, with its place and its hint. `part` says which part of the server reports it. */
export function logProblem(
  log: ServerLog,
  level: 'info' | 'warn' | 'error',
  { message, code, place, hint }: Problem,
  part: string,
): void {
  log(level, message, { part, code, place: place && fileAndLine(place), hint });
}
