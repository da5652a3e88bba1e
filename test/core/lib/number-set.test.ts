import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createNumberSet } from '../../../src/core/lib/number-set.ts';

it('a set of numbers contains exactly the added numbers, however many there are', () => {
  const number = fc.oneof(
    fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 - 1),
    fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    fc.integer({ min: 0, max: 50 }).map((step) => step * 1024),
  );
  fc.assert(
    fc.property(fc.array(number, { maxLength: 3000, size: 'max' }), fc.array(number), (added, others) => {
      const set = createNumberSet();
      const expected = new Set(added);
      for (const each of added) set.add(each);
      expect(set.isEmpty()).toBe(expected.size === 0);
      for (const each of [...added, ...others]) expect(set.has(each)).toBe(expected.has(each));
    }),
    { numRuns: 30 },
  );
});
