import { pino } from 'pino';
import type { Clock } from '../../core/lib/clock.ts';
import { printableJson } from '../../core/lib/printable-json.ts';
import { ok, type Result } from '../../core/problem/result.ts';
import { type LineWriterOptions, openLineWriter } from './line-writer.ts';
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
