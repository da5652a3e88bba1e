import { describe, expect, test } from 'vitest';
import { matchName, readNamePattern } from '../../../src/core/model/name-pattern.ts';

function fieldsOf(name: string, source: string) {
  const pattern = readNamePattern(source);
  if (!pattern.ok) throw new Error(pattern.fault);
  return matchName(name, pattern.value);
}

describe('patterns of names', () => {
  test.each([
    ['BER-WEB-01', '{site}-{role}-{number}', { site: 'BER', role: 'WEB', number: '01' }],
    ['a-b-c', '{first}-{rest}', { first: 'a', rest: 'b-c' }],
    ['x.corp.corp', '{name}.corp', { name: 'x.corp' }],
    ['--b', '{a}-{b}', { a: '-', b: 'b' }],
    ['plain', 'plain', {}],
    ['plain', '{all}', { all: 'plain' }],
    ['-b', '{a}-{b}', null],
    ['BER', '{site}-{role}', null],
    ['xBER-1', 'y{site}-{n}', null],
    ['', '{all}', null],
  ])('%j by %j is %j', (name, source, fields) => {
    expect(fieldsOf(name, source)).toEqual(fields);
  });

  test.each(['{a}{b}', '{a}-{a}', '{', 'x}', '{}', '{a b}'])('%j is refused', (source) => {
    expect(readNamePattern(source)).toMatchObject({ ok: false });
  });

  test('field names such as __proto__ are ordinary names', () => {
    expect(Object.keys(fieldsOf('a-b', '{__proto__}-{b}') ?? {})).toEqual(['__proto__', 'b']);
  });
});
