import fc from 'fast-check';
import { expect, it } from 'vitest';
import { countWhile } from '../../../src/core/lib/binary-search.ts';

it('counts the items at the start of a sorted list, and looks at few of them', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(20), { maxLength: 200 }),
      fc.integer({ min: -1, max: 21 }),
      (numbers, most) => {
        const sorted = numbers.toSorted((a, b) => a - b);
        const seen: number[] = [];
        const counted = countWhile(sorted.length, (at) => {
          seen.push(at);
          return (sorted[at] as number) <= most;
        });
        expect(counted).toBe(sorted.filter((each) => each <= most).length);
        expect(seen.length).toBeLessThanOrEqual(8);
      },
    ),
  );
});
