import { printable } from '../../../core/lib/printable.ts';
import type { Difference } from '../../../core/plan/guards/check-plan.ts';
import { formatPlace } from '../../../core/problem/place.ts';
import type { Colour } from '../../../output/review/colour.ts';
import { count } from '../../../output/review/count.ts';
import type { CaseResult } from './run-case.ts';

const signs: Readonly<Record<Difference['kind'], string>> = { missing: '-', unexpected: '+', wrong: '!' };
const words: Readonly<Record<Difference['kind'], string>> = {
  missing: 'is not in the plan',
  unexpected: 'was not expected',
  wrong: '',
};

/** The cases of each file, with the differences of those that failed. */
export function paintResults(results: readonly CaseResult[], colour: Colour): string {
  const files = Map.groupBy(results, ({ file }) => file);
  const parts = [...files].map(([file, own]) =>
    [colour.bold(printable(file)), ...own.flatMap((each) => paintCase(each, colour)), ''].join('\n'),
  );
  return `${parts.join('\n')}\n${summary(results, colour)}\n`;
}

function paintCase({ case: { name }, differences }: CaseResult, colour: Colour): readonly string[] {
  const passed = differences.length === 0;
  const mark = passed ? colour.green('✓') : colour.red('✗');
  return [
    `  ${mark} ${printable(name)}`,
    ...differences.flatMap(({ kind, text, hint, place }) => {
      const paint = kind === 'missing' ? colour.green : colour.red;
      const word = words[kind] === '' ? '' : colour.dim(` (${words[kind]})`);
      return [
        `      ${paint(`${signs[kind]} ${printable(text)}`)}${word}`,
        `        ${colour.dim(`${printable(formatPlace(place))}${hint === undefined ? '' : `: ${printable(hint)}`}`)}`,
      ];
    }),
  ];
}

function summary(results: readonly CaseResult[], colour: Colour): string {
  const failures = results.filter(({ differences }) => differences.length > 0).length;
  const cases = count(results.length, 'case', 'cases');
  return failures === 0 ? colour.green(`${cases} passed`) : colour.red(`${failures} of ${cases} failed`);
}
