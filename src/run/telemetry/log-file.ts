import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { defined } from '../../core/lib/defined.ts';
import { reasonOf } from '../../core/lib/error-code.ts';
import type { CallEvent, StepOutcome } from '../../core/model/run-event.ts';
import { failed, ok, type Problem, problem, type Result, warning } from '../../core/problem/problem.ts';
import type { LogLevel } from './log-level.ts';
import { createLogger, type ServerLogOptions } from './server-log.ts';
import type { Telemetry } from './telemetry.ts';
import type { TelemetryEvent } from './telemetry-event.ts';

export interface LogFileOptions extends LineWriterOptions, Omit<ServerLogOptions, 'write'> {
  /** Ties the log to a trace; absent if there is none. */
  readonly traceId?: string | undefined;
}

/**
 * A log with one JSON object per line. Names are unchanged except for control, invisible and direction-changing
 * characters, which are escaped: the file is safe to show in a terminal.
 */
export function openLogFile(path: string, options: LogFileOptions): Result<Telemetry> {
  const writer = openLineWriter(path, options);
  if (!writer.ok) return writer;
  const logger = createLogger(
    { ...options, write: writer.value.write },
    defined({ trace_id: options.traceId }),
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

/** One line of the log before it is written, without the fields that are undefined. */
interface LogEntry {
  readonly level: Exclude<LogLevel, 'off'>;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A wait shorter than this is logged only at the level `debug`. */
const longWaitMs = 2000;

/** Undefined for an event that adds nothing. */
function toLogEntry(event: TelemetryEvent): LogEntry | undefined {
  if (event.type === 'job_event') {
    const { job, account } = event;
    const inner = toLogEntry(event.event);
    return inner && { ...inner, fields: { ...inner.fields, account, job } };
  }
  const described = describe(event);
  return described && { ...described, fields: { event: event.type, ...described.fields } };
}

function describe(event: Exclude<TelemetryEvent, { type: 'job_event' }>): LogEntry | undefined {
  switch (event.type) {
    case 'command_start': {
      const { command, argv, version } = event;
      return entry('info', `rampart ${command}`, { command, argv, version });
    }
    case 'command_end': {
      const { exitCode, ms } = event;
      const level = exitCode === 0 || exitCode === 2 ? 'info' : 'error';
      return entry(level, `exited with ${exitCode}`, { exit_code: exitCode, ms: whole(ms) });
    }
    case 'run_start': {
      const { runId, steps, calls } = event;
      return entry('info', `run ${runId} begins`, { run_id: runId, steps, calls });
    }
    case 'run_end': {
      const { runId, exitCode, ms } = event;
      return entry('info', `run ${runId} ends`, { run_id: runId, exit_code: exitCode, ms: whole(ms) });
    }
    case 'step_start': {
      const { step, kind, hosts, target } = event;
      return entry('info', `${kind} begins`, { step, kind, hosts, ...target });
    }
    case 'step_end': {
      const { step, kind, outcome, done, of } = event;
      return entry(levelOf(outcome), `${kind}: ${outcome}`, { step, kind, outcome, done, of });
    }
    case 'call':
      return callEntry(event);
    case 'retry': {
      const { action, code, ms } = event;
      return entry('warn', `${action} failed and is retried`, { action, code, in_ms: whole(ms) });
    }
    case 'waiting': {
      const { action, ms } = event;
      const level = ms >= longWaitMs ? 'info' : 'debug';
      return entry(level, `${action} is limited`, { action, wait_ms: whole(ms) });
    }
    case 'diagnostic':
      return diagnosticEntry(event.problem);
    case 'job_start': {
      const { job, kind, account } = event;
      return entry('debug', `${kind} of ${account} begins`, { job, kind, account });
    }
    case 'job_end':
      return event.isFailed
        ? entry('warn', 'the job failed', { job: event.job })
        : entry('debug', 'the job ended', { job: event.job });
    case 'metrics':
      return undefined;
    case 'interrupted':
      return entry('warn', 'interrupted', {});
    case 'crash':
      return entry('error', event.message, { stack: event.stack });
  }
}

function callEntry({ action, method, path, status, ms, attempt, waitedMs, step }: CallEvent): LogEntry {
  const refused = status === null || (status >= 400 && status !== 429);
  return entry(refused ? 'warn' : 'info', `${method} ${path} → ${status ?? 'no reply'}`, {
    action,
    method,
    path,
    status,
    ms: whole(ms),
    attempt,
    waited_ms: whole(waitedMs),
    step,
  });
}

function diagnosticEntry({ code, severity, message, hint, place, hostIds }: Problem): LogEntry {
  const level = severity === 'error' ? 'error' : severity === 'warning' ? 'warn' : 'info';
  return entry(level, message, {
    code,
    severity,
    hint,
    file: place?.file,
    line: place?.line,
    col: place?.wholeLine === true ? undefined : place?.col,
    host_ids: hostIds,
  });
}

function levelOf(outcome: StepOutcome): LogEntry['level'] {
  switch (outcome) {
    case 'done':
    case 'already':
      return 'info';
    case 'failed':
    case 'unknown':
      return 'error';
    case 'skipped':
    case 'not-started':
      return 'warn';
  }
}

function entry(level: LogEntry['level'], message: string, fields: LogEntry['fields']): LogEntry {
  return { level, message, fields };
}

/** Virtual and high-resolution clocks give meaningless fractions. */
function whole(ms: number): number {
  return Math.round(ms);
}
