import type { Clock } from '../../core/lib/clock.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { ok, type Result } from '../../core/problem/result.ts';
import type { LogLevel } from './log-level.ts';
import { type Environment, readOtelSettings } from './otel-settings.ts';
import type { Telemetry } from './telemetry.ts';
import { readTraceParent } from './trace-parent.ts';

export interface TelemetryOptions {
  readonly env: Environment;
  readonly clock: Clock;
  readonly version: string;
  readonly level: LogLevel;
  /** Where the log goes; absent: nowhere. `shown` is what the user typed. */
  readonly logFile?: { readonly path: string; readonly shown: string };
  /** Takes the secrets out of a line. */
  readonly redact: (text: string) => string;
  /** Called with what could not be written or delivered. */
  readonly onFailure: (problem: Problem) => void;
}

/** All that was asked for: a log file, traces, metrics, or nothing. What is not asked for is not even loaded. */
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
      ...(parent === undefined ? {} : { traceId: parent.traceId }),
    });
    if (!log.ok) return log;
    places.push(log.value);
  }
  if (settings.traces !== undefined || settings.metrics !== undefined) {
    const { createOpenTelemetry } = await import('./open-telemetry.ts');
    const { clock, version } = options;
    places.push(
      createOpenTelemetry(settings, {
        clock,
        version,
        onFailure,
        ...(parent === undefined ? {} : { parent }),
      }),
    );
  }
  return ok(
    {
      isOn: places.length > 0,
      hear: (event) => {
        for (const place of places) place.hear(event);
      },
      // The log is last, so that it holds what the others could not deliver.
      end: async () => {
        for (const place of places.toReversed()) await place.end();
      },
    },
    settings.problems,
  );
}
