import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** From the most to the least output. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'off'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The level in `RAMPART_LOG`; `info` if it is not set. */
export function readLogLevel(value: string | undefined): Result<LogLevel> {
  const word = (value ?? '').trim().toLowerCase();
  if (word === '') return ok('info');
  const level = logLevels.find((each) => each === word);
  if (level !== undefined) return ok(level);
  return failed(
    problem('configuration', `RAMPART_LOG does not support the level "${word}"`, {
      hint: `use ${logLevels.join(', ')}`,
    }),
  );
}
