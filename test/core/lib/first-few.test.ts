import { expect, test } from 'vitest';
import { didYouMean, firstFew } from '../../../src/core/lib/words.ts';

test('groups the digits of the number of items that a list leaves out', () => {
  const numbers = Array.from({ length: 1_206 }, (_, index) => index);
  expect(firstFew(numbers, 2)).toBe('0, 1 and 1,204 more');
  expect(firstFew(numbers.slice(0, 2), 2, (each) => `host ${each}`)).toBe('host 0, host 1');
});

test('suggests three names with commas and one "or"', () => {
  expect(didYouMean(['Berlin', 'Dublin', 'Jersey'])).toBe('did you mean "Berlin", "Dublin" or "Jersey"?');
  expect(didYouMean([])).toBeUndefined();
});
