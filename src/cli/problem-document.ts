import { hasErrors, type Problem } from '../problem/problem.ts';

/** Problems as JSON, for machines that annotate files. */
export function problemDocument(problems: readonly Problem[]): Readonly<Record<string, unknown>> {
  return {
    format_version: '1.0',
    errors: hasErrors(problems),
    problems: problems.map(({ code, severity, message, place, hint, hostIds }) => ({
      code,
      severity,
      message,
      ...(place === undefined ? {} : { file: place.file, line: place.line, col: place.col }),
      ...(hint === undefined ? {} : { hint }),
      ...(hostIds === undefined ? {} : { host_ids: hostIds }),
    })),
  };
}
