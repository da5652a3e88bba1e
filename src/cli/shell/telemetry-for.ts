import { ok, type Result } from '../../core/problem/problem.ts';
import { readLogLevel } from '../../run/telemetry/log-level.ts';
import { startTelemetry } from '../../run/telemetry/start-telemetry.ts';
import type { Telemetry } from '../../run/telemetry/telemetry.ts';
import type { Context } from './context.ts';
import { version } from './version.ts';

/** The log, traces and metrics of one command, as requested by its flags and the environment. */
export async function telemetryFor(context: Context): Promise<Result<Telemetry>> {
  const { io, settings, redaction, path } = context;
  const level = readLogLevel(io.env['RAMPART_LOG']);
  if (!level.ok) return level;
  const { logFile } = settings;
  const started = await startTelemetry({
    env: io.env,
    clock: io.clock,
    version: version(),
    level: level.value,
    redact: redaction.redact,
    onFailure: (problem) => context.report([problem]),
    ...(logFile === undefined ? {} : { logFile: { path: path(logFile), shown: logFile } }),
  });
  if (!started.ok) return started;
  context.report(started.problems);
  return ok(started.value);
}
