import { jsonText } from '../../core/lib/printable.ts';
import { hasErrors, type Problem } from '../../core/problem/problem.ts';
import { toProblemRecord } from '../../output/review/problem-record.ts';

/** Problems as JSON, for programs that annotate files. */
export function problemDocument(problems: readonly Problem[]): Readonly<Record<string, unknown>> {
  return {
    format_version: '1.0',
    errors: hasErrors(problems),
    problems: problems.map(toProblemRecord),
  };
}

/** The same on one line, so that it is both a JSON document and an event of a stream. */
export function problemLine(problems: readonly Problem[]): string {
  return `${jsonText(problemDocument(problems))}\n`;
}
