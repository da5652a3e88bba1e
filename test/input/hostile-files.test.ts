import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readDesired } from '../../src/input/read-desired.ts';
import { plainStyle } from '../../src/output/review/color.ts';
import { renderProblems } from '../../src/output/review/problem-text.ts';

function read(text: string | Uint8Array) {
  return readDesired([{ file: 'fleet.yaml', text }]);
}

function codeOf(text: string | Uint8Array): string | undefined {
  return read(text).problems[0]?.code;
}

const million = 1_000_000;

describe('a malicious file is a problem like any other', () => {
  test.each([
    ['one line of 50 MB', Buffer.alloc(50 * million, 'x'), 'yaml-syntax'],
    ['50 MB of brackets', '['.repeat(50 * million), 'yaml-syntax'],
    ['50 MB that are not UTF-8', Buffer.alloc(50 * million, 0xe9), 'file-not-text'],
    ['50 MB of zeros', Buffer.alloc(50 * million), 'file-not-text'],
    ['10,000 levels of lists', `${'- '.repeat(10_000)}x`, 'yaml-syntax'],
    ['10,000 levels of brackets', '['.repeat(10_000) + ']'.repeat(10_000), 'yaml-syntax'],
    ['10,000 levels of braces', '{a: '.repeat(10_000) + '}'.repeat(10_000), 'yaml-syntax'],
    [
      '1,000 levels of keys',
      Array.from({ length: 1_000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
      'yaml-syntax',
    ],
    ['closing brackets only', '}'.repeat(million), 'yaml-syntax'],
    ['20,000 commas', `a: [${','.repeat(20_000)}]`, 'yaml-syntax'],
    [
      'aliases that double eighty times',
      `a0: &a0 [x, x]\n${Array.from({ length: 80 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`).join('')}`,
      'yaml-alias-bomb',
    ],
    ['aliases that go in a circle', '&a { b: *a }', 'yaml-syntax'],
    ['a key of 900 kB', `? "${'k'.repeat(900_000)}"\n: 1\n`, 'missing-key'],
    ['an id of 900,000 digits', `version: 1\nhosts: [{ id: ${'9'.repeat(900_000)} }]`, 'invalid-id'],
  ])('%s', (_, text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  test('has only a small part shown', () => {
    const name = 'n'.repeat(900_000);
    const text = `version: 1\nhosts: [{ name: ${name} }, { name: ${name}, ${'k'.repeat(1_000)}: 1 }]`;
    expect(renderProblems(read(text).problems, plainStyle).length).toBeLessThan(3_000);
  });

  test('with 30,000 mistakes stops the reading, and fifty are shown', () => {
    const { problems } = read(`version: 1\nhosts:\n${'  - id: x\n'.repeat(30_000)}`);
    expect(problems).toHaveLength(1_000);
    const text = renderProblems(problems, plainStyle);
    expect(text.match(/^error\[/gm)).toHaveLength(50);
    expect(text).toMatch(/… and 950 more\n\n1,000 errors\n$/);
  });

  test('any text at all is either a state or problems with a place', () => {
    const fragment = fc.constantFrom(
      ...'version: 1\n¦hosts:\n¦  - id: 1\n¦    name: ¦---\n¦!!int ¦%YAML 1.1\n¦<<: ¦\r\n'.split('¦'),
      ...'&a ¦*a¦: ¦- ¦? ¦| ¦> ¦# '.split('¦'),
      ...Array.from('[]{}"\'\n\t,~\u202e\u0000é\ud800'),
    );
    const soup = fc.array(fc.oneof(fragment, fc.string()), { maxLength: 30 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(soup, (text) => {
        const result = read(text);
        for (const each of result.problems) expect(each.place).toBeDefined();
        expect(result.ok || result.problems.length > 0).toBe(true);
        renderProblems(result.problems, plainStyle);
      }),
      { numRuns: 1_000 },
    );
  });

  test('any bytes at all', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(read(bytes).ok).toBe(false);
      }),
    );
  });
});
