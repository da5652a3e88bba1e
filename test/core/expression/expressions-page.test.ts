import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { deepestValue } from '../../../src/core/expression/checker/check.ts';
import { factFields } from '../../../src/core/expression/facts/declared-facts.ts';
import { functionForms } from '../../../src/core/expression/functions/functions.ts';
import { longestPattern } from '../../../src/core/expression/functions/regex.ts';
import { longestList, longestText, mostWork } from '../../../src/core/expression/running/running.ts';
import { deepestTree, longestExpression } from '../../../src/core/expression/syntax/read-expression.ts';
import { deepest } from '../../../src/core/expression/syntax/syntax-fault.ts';
import { asked, type GivenSubject, givenSubject, rendered } from './given-subject.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/expressions.md'), 'utf8');
const shown = /```json\n(.*?)```/s.exec(page)?.[1] ?? '';
const subject = givenSubject(JSON.parse(shown) as GivenSubject);

/** The rows of all tables of the page whose first column has this title. */
function rowsOf(title: string): readonly (readonly string[])[] {
  const tables = page.matchAll(new RegExp(`^\\| ${title} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'gm'));
  return [...tables].flatMap(([, rows = '']) =>
    rows
      .trimEnd()
      .split('\n')
      .map((row) =>
        row
          .slice(2, -2)
          .split(/ \| (?=(?:[^`]*`[^`]*`)*[^`]*$)/)
          .map((cell) => cell.replaceAll(/^`|`$/g, '')),
      ),
  );
}

describe('docs/reference/expressions.md', () => {
  test('names every fact', () => {
    expect(rowsOf('fact')).toEqual(factFields().map(({ path, type, about }) => [path, type, about]));
  });

  test('names every function', () => {
    expect(rowsOf('function').map(([signature, about]) => [signature, about])).toEqual(
      functionForms.map(({ signature, about }) => [signature, about]),
    );
  });

  test('names every limit', () => {
    expect(rowsOf('limit').map(([, most]) => Number(most))).toEqual([
      longestExpression,
      deepest,
      deepestTree,
      deepestValue,
      longestText,
      longestList,
      mostWork,
      longestPattern,
    ]);
  });

  test('has examples', () => {
    expect(rowsOf('condition').length).toBeGreaterThan(20);
    expect(rowsOf('template').length).toBeGreaterThan(8);
  });

  test.each(rowsOf('condition'))('condition %s is %s', (source, is) => {
    expect(String(asked(source, subject))).toBe(is);
  });

  test.each(rowsOf('function'))('function %s: %s: %s', (_signature, _about, example) => {
    expect(asked(example, subject)).toBe(true);
  });

  test.each(rowsOf('template'))('template %s gives %s', (source, gives) => {
    expect(rendered(source, subject)).toBe(gives);
  });
});
