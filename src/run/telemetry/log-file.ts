import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { pino } from 'pino';
import { reasonOf } from '../../core/lib/error-code.ts';
import { printableJson } from '../../core/lib/printable-json.ts';
import type { Clock } from '../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result, warning } from '../../core/problem/problem.ts';
import { toLogEntry } from './log-entry.ts';
import type { LogLevel } from './log-level.ts';
import type { Telemetry } from './telemetry.ts';

export interface LogFileOptions extends LineWriterOptions {
  readonly clock: Clock;
  readonly level: LogLevel;
  /** Removes secrets from a line. */
  readonly redact: (text: string) => string;
  /** Ties the log to a trace; absent if there is none. */
  readonly traceId?: string;
}

/**
 * A log with one JSON object per line. Names are unchanged except for control, invisible and direction-changing
 * characters, which are escaped: the file is safe to show in a terminal.
 */
export function openLogFile(path: string, options: LogFileOptions): Result<Telemetry> {
  const { clock, level, redact, traceId } = options;
  const writer = openLineWriter(path, options);
  if (!writer.ok) return writer;
  const logger = pino(
    {
      level: level === 'off' ? 'silent' : level,
      base: { pid: process.pid, ...(traceId === undefined ? {} : { trace_id: traceId }) },
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line) => writer.value.write(printableJson(redact(line))) },
  );
  let runId: string | undefined;
  return ok({
    isOn: true,
    hear(event) {
      if (event.type === 'run_start') ({ runId } = event);
      const entry = toLogEntry(event);
      if (entry === undefined) return;
      logger[entry.level](
        { ...entry.fields, ...(runId === undefined ? {} : { run_id: runId }) },
        entry.message,
      );
      if (event.type === 'run_end') runId = undefined;
    },
    end: async () => writer.value.close(),
  });
}

/** Appends lines to a file. Each is on disk when `write` returns, so that a crash loses none. */
interface LineWriter {
  write(line: string): void;
  close(): void;
}

interface LineWriterOptions {
  /** The file's name as the user typed it. */
  readonly shown: string;
  /** Called once, if a line could not be written; the following lines are dropped. */
  readonly onFailure: (problem: Problem) => void;
}

/** Only the owner may read it. A pipe without a reader fails rather than waiting forever. */
const mode = 0o600;
const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NONBLOCK ?? 0);

function openLineWriter(path: string, { shown, onFailure }: LineWriterOptions): Result<LineWriter> {
  let file: number | undefined;
  try {
    file = openSync(path, flags, mode);
  } catch (error) {
    return failed(
      problem('file-not-written', `the log file ${shown} can't be written (${reasonOf(error)})`, {
        hint: 'choose a file in an existing folder: --log-file rampart.log',
      }),
    );
  }
  const close = () => {
    if (file !== undefined) closeSync(file);
    file = undefined;
  };
  return ok({
    write(line) {
      if (file === undefined) return;
      try {
        writeWhole(file, line);
      } catch (error) {
        close();
        onFailure(
          warning('file-not-written', `the log file ${shown} ends early (${reasonOf(error)})`, {
            hint: 'the command continues without the log',
          }),
        );
      }
    },
    close,
  });
}

function writeWhole(file: number, line: string): void {
  const bytes = Buffer.from(line, 'utf8');
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
}
