import { expect, test } from 'vitest';
import { comparisonLine } from '../../../src/output/review/comparison.ts';

test('groups the digits of each part of a comparison, whether of one plan or of many', () => {
  const counts = { introduced: 1_204, pending: 31_000, drift: 2_000, reverted: 1_001 };
  expect(comparisonLine(counts, 'the base')).toBe(
    'Compared with the base: 1,204 changes added by this change, 1,001 reverted, 2,000 to revert drift, 31,000 already pending.',
  );
});
