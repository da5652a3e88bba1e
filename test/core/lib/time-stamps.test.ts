import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTimeStamps } from '../../../src/core/lib/time-stamps.ts';

it('writes any times as a date would, in any order', () => {
  const time = fc.oneof(
    fc.double({ min: 0, max: 253_402_300_799_999, noNaN: true }),
    fc.integer({ min: 1_700_000_000_000, max: 1_700_000_003_000 }),
  );
  fc.assert(
    fc.property(fc.array(time, { minLength: 1 }), (times) => {
      const stamp = createTimeStamps();
      for (const ms of times) expect(stamp(ms)).toBe(new Date(ms).toISOString());
    }),
  );
});
