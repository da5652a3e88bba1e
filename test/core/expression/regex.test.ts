import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asked, givenSubject, rendered } from './given-subject.ts';

function extract(text: string, pattern: string): string {
  const result = rendered(
    `\${host.name.extract(host.hostName)}`,
    givenSubject({ name: text, hostName: pattern }),
  );
  return result;
}

describe('extract', () => {
  test.each([
    ['the whole match where there is no group', 'BER-0042', '[0-9]+', '0042'],
    ['the first group', 'BER-0042-x', '-0*([0-9]+)-(.)', '42'],
    ['nothing where nothing matches', 'BER', '[0-9]', ''],
    ['nothing where the group took no part', 'b', '(a)|b', ''],
    ['the leftmost match', 'a1b22', '[0-9]+', '1'],
    ['the longest of a greedy match', 'aaa', 'a+', 'aaa'],
    ['the shortest of a lazy match', 'aaa', 'a+?', 'a'],
    ['the preferred alternative', 'abc', 'a|ab|abc', 'a'],
    ['the last turn of a repeated group', 'abc', '(?:(.))+', 'c'],
    ['the empty match', 'abc', 'x*', ''],
    ['anchors', 'ab\nab', '(?m)^(ab)$', 'ab'],
    ['the end of the text only', 'ab\nac', 'a.$', 'ac'],
    ['letters without case', 'BER', '(?i)b(e)r', 'E'],
    ['word boundaries', 'a lt-1 b', String.raw`\b(lt-\d)\b`, 'lt-1'],
    ['characters beyond 16 bits', '😀x😁', '.$', '😁'],
    ['a class of Unicode', 'Ä-1', String.raw`^(\p{L})-`, 'Ä'],
    ['a counted repetition', 'aaaa', '(a{2}){2}', 'aa'],
    ['a named group', 'BER-1', '(?P<site>[A-Z]+)-', 'BER'],
  ])('%s', (_case, text, pattern, found) => {
    expect(extract(text, pattern)).toBe(found);
  });

  test('returns the same result as a backtracking engine', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      '.',
      '(a)',
      '(b|a)',
      '(?:ab)',
      '[ab]',
      'a*',
      '(a*)',
      'b?',
      '(ab?)',
      'a+?',
      '^',
      '$',
      '\\b',
      '|',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { minLength: 1, maxLength: 6 }),
        fc.stringMatching(/^[ab ]{0,8}$/),
        (pieces, text) => {
          const pattern = pieces.join('');
          const found = new RegExp(pattern).exec(text);
          const theirs = found === null ? '' : found.length > 1 ? (found[1] ?? '') : found[0];
          fc.pre(text !== '');
          expect(extract(text, pattern)).toBe(theirs);
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('a pattern that makes other engines backtrack forever', () => {
  const text = `${'a'.repeat(2_000)}!`;

  test.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^(.*a){20}$', '(x+x+)+y'])('%s', (pattern) => {
    const subject = givenSubject({ name: text, hostName: pattern });
    expect(asked('host.name.matches(host.hostName)', subject)).toBe(false);
    expect(extract(text, pattern)).toBe('');
  });
});

test('a pattern on a text that is too long for it is a fault', () => {
  const subject = givenSubject({ name: 'a'.repeat(90_000), hostName: '(a{0,500}){0,2}b' });
  expect(asked('host.name.matches(host.hostName)', subject)).toMatch(/too many steps|repeats too much|valid/);
  expect(
    asked(
      'host.name.matches(host.hostName) || host.name.matches(host.hostName) || [1,2,3,4,5].all(x, !host.name.matches(host.hostName))',
      subject,
    ),
  ).toMatch(/too many steps|valid/);
});
