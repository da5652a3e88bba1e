import type { Clock, Environment } from '../../core/lib/surroundings.ts';
import { ok, type Problem, type Result } from '../../core/problem/problem.ts';
import type { LogLevel } from './log-level.ts';
import { readOtelSettings } from './otel-settings.ts';
import type { Telemetry } from './telemetry.ts';
import { readTraceParent } from './trace-parent.ts';

export interface TelemetryOptions {
  readonly env: Environment;
  readonly clock: Clock;
  readonly version: string;
  readonly level: LogLevel;
  /** The log file; no log if absent. `shown` is the path that the user typed. */
  readonly logFile?: { readonly path: string; readonly shown: string };
  /** Removes secrets from a line. */
  readonly redact: (text: string) => string;
  /** Called with problems of writing or delivery. */
  readonly onFailure: (problem: Problem) => void;
}

/** Starts the requested outputs: a log file, traces, metrics, or nothing. Others are not even loaded. */
export async function startTelemetry(options: TelemetryOptions): Promise<Result<Telemetry>> {
  const { env, logFile, level, onFailure } = options;
  const settings = readOtelSettings(env);
  const parent = readTraceParent(env['TRACEPARENT']);
  const places: Telemetry[] = [];
  if (logFile !== undefined && level !== 'off') {
    const { openLogFile } = await import('./log-file.ts');
    const log = openLogFile(logFile.path, {
      ...options,
      shown: logFile.shown,
      traceId: parent?.traceId,
    });
    if (!log.ok) return log;
    places.push(log.value);
  }
  if (settings.traces !== undefined || settings.metrics !== undefined) {
    const { createOpenTelemetry } = await import('./open-telemetry.ts');
    const { clock, version } = options;
    places.push(createOpenTelemetry(settings, { clock, version, onFailure, parent }));
  }
  return ok(
    {
      isOn: places.length > 0,
      hear: (event) => {
        for (const place of places) place.hear(event);
      },
      // The log ends last, so that it contains what the others could not deliver.
      end: async () => {
        for (const place of places.toReversed()) await place.end();
      },
    },
    settings.problems,
  );
}
