import type { Redaction } from '../../core/lib/redaction.ts';
import type { Problem } from '../../core/problem/problem.ts';
import { readLogLevel } from '../../run/telemetry/log-level.ts';
import type { Io } from './io.ts';

export type RecordProblem = (problem: Problem) => void;

/**
 * Writes the problems of a server as records of its log, because log readers expect nothing else on stderr. Errors are
 * written at every level, because a server that can't start must report why.
 */
export async function problemRecords(io: Io, { redact }: Redaction): Promise<RecordProblem> {
  const { createServerLog, logProblem } = await import('../../run/telemetry/server-log.ts');
  const level = readLogLevel(io.env['RAMPART_LOG']);
  const log = createServerLog({
    clock: io.clock,
    level: level.ok && level.value !== 'off' ? level.value : 'error',
    redact,
    write: (line) => io.stderr.write(line),
  });
  const levels = { error: 'error', warning: 'warn', note: 'info' } as const;
  return (problem) => logProblem(log, levels[problem.severity], problem, 'command');
}
