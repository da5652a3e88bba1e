import { describe, expect, test } from 'vitest';
import { nearest } from '../../../src/core/lib/words.ts';

const keys = ['id', 'name', 'previously', 'group', 'antivirus', 'ensure', 'deleteAfter'];

describe('the nearest words', () => {
  test.each([
    ['gruop', ['group']],
    ['Name', ['name']],
    ['ANTIVIRUS', ['antivirus']],
    ['delete_after', ['deleteAfter']],
    ['previous', ['previously']],
    ['idd', ['id']],
    ['x', []],
    ['', []],
    ['zzz', []],
    ['hostname', []],
  ])('of %s are %j', (word, expected) => {
    expect(nearest(word, keys)).toEqual(expected);
  });

  test('are sorted by distance, then alphabetically, and limited to three', () => {
    expect(nearest('Berlin', ['Merlin', 'Berlin 2', 'Bern', 'Berlin', 'Dublin', 'Perlin'])).toEqual([
      'Berlin',
      'Merlin',
      'Perlin',
    ]);
  });

  test('of a very long word are found at once', () => {
    expect(nearest('k'.repeat(1_000_000), keys)).toEqual([]);
  });
});
