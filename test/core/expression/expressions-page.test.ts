import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  deepest,
  deepestTree,
  deepestValue,
  longestExpression,
  longestList,
  longestPattern,
  longestText,
  mostWork,
} from '../../../src/core/expression/expression-limits.ts';
import { rootsOf } from '../../../src/core/expression/facts/declared-facts.ts';
import { type FactShape, itemsOf } from '../../../src/core/expression/facts/fact-shape.ts';
import { functionForms } from '../../../src/core/expression/functions/functions.ts';
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

function typeText(shape: FactShape): string {
  switch (shape.kind) {
    case 'value':
      return shape.type;
    case 'texts':
      return 'list of string';
    case 'map':
      return 'map of string to string';
    case 'object':
      return 'object';
    case 'objects':
      return 'list of object';
  }
}

/** The rows of a fact and of all its members; `[]` stands for one item of a list. */
function fieldsBelow(path: string, shape: FactShape): readonly (readonly string[])[] {
  const below = 'members' in shape ? Object.entries(shape.members) : [];
  const inside = shape.kind === 'objects' ? itemsOf(path) : path;
  const own = shape.kind === 'object' ? [] : [[path, typeText(shape), shape.about]];
  return [...own, ...below.flatMap(([name, member]) => fieldsBelow(`${inside}.${name}`, member))];
}

describe('docs/reference/expressions.md', () => {
  test('names every fact', () => {
    expect(rowsOf('fact')).toEqual(
      Object.entries(rootsOf('change')).flatMap(([name, shape]) => fieldsBelow(name, shape)),
    );
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
    if (example.startsWith('${')) expect(rendered(example, subject)).toBe(subject.name);
    else expect(asked(example, subject)).toBe(true);
  });

  test.each(rowsOf('template'))('template %s gives %s', (source, gives) => {
    expect(rendered(source, subject)).toBe(gives);
  });
});
