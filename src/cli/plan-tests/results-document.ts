import type { CaseResult } from './run-case.ts';

/** The results as JSON. */
export function resultsDocument(results: readonly CaseResult[]): Readonly<Record<string, unknown>> {
  const failures = results.filter(({ differences }) => differences.length > 0).length;
  return {
    format_version: '1.0',
    passed: results.length - failures,
    failed: failures,
    cases: results.map(({ file, case: { name, place }, differences }) => ({
      file,
      line: place.line,
      name,
      passed: differences.length === 0,
      differences: differences.map(({ kind, text, hint, place: { file: in_, line, col } }) => ({
        kind,
        text,
        ...(hint === undefined ? {} : { hint }),
        file: in_,
        line,
        col,
      })),
    })),
  };
}
