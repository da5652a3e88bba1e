import { count, printable } from '../../core/lib/words.ts';
import type { PlanDifference } from '../../core/plan/guards/check-plan.ts';
import { formatPlace } from '../../core/problem/problem.ts';
import type { Color } from '../../output/review/color.ts';
import type { CaseResult } from './run-case.ts';

const signs: Readonly<Record<PlanDifference['kind'], string>> = { missing: '-', unexpected: '+', wrong: '!' };
const words: Readonly<Record<PlanDifference['kind'], string>> = {
  missing: 'is not in the plan',
  unexpected: 'was not expected',
  wrong: '',
};

/** The cases of each file, with the differences of those that failed. */
export function paintResults(results: readonly CaseResult[], color: Color): string {
  const files = Map.groupBy(results, ({ file }) => file);
  const parts = [...files].map(([file, own]) =>
    [color.bold(printable(file)), ...own.flatMap((each) => paintCase(each, color)), ''].join('\n'),
  );
  return `${parts.join('\n')}\n${summary(results, color)}\n`;
}

function paintCase({ case: { name }, differences }: CaseResult, color: Color): readonly string[] {
  const passed = differences.length === 0;
  const mark = passed ? color.green('✓') : color.red('✗');
  return [
    `  ${mark} ${printable(name)}`,
    ...differences.flatMap(({ kind, text, hint, place }) => {
      const paint = kind === 'missing' ? color.green : color.red;
      const word = words[kind] === '' ? '' : color.dim(` (${words[kind]})`);
      return [
        `      ${paint(`${signs[kind]} ${printable(text)}`)}${word}`,
        `        ${color.dim(`${printable(formatPlace(place))}${hint === undefined ? '' : `: ${printable(hint)}`}`)}`,
      ];
    }),
  ];
}

function summary(results: readonly CaseResult[], color: Color): string {
  const failures = results.filter(({ differences }) => differences.length > 0).length;
  const cases = count(results.length, 'case', 'cases');
  return failures === 0 ? color.green(`${cases} passed`) : color.red(`${failures} of ${cases} failed`);
}

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
