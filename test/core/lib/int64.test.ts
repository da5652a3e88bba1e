import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareInt64, isInt64 } from '../../../src/core/lib/int64.ts';

describe('a 64-bit integer in canonical decimal form', () => {
  test.each(['0', '1', '-1', '9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    '%s is one',
    (text) => {
      expect(isInt64(text)).toBe(true);
    },
  );

  test.each([
    '9223372036854775808',
    '-9223372036854775809',
    '99999999999999999999',
    '-0',
    '007',
    '-01',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    '',
    '-',
    ' 1',
    '1 ',
    '1_000',
    '１',
    '9'.repeat(1_000_000),
    '1\n',
    '0000000000000000000',
  ])('%j is not one', (text) => {
    expect(isInt64(text)).toBe(false);
  });

  test('any integer is one exactly if it fits in 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }), (value) => {
        expect(isInt64(String(value))).toBe(BigInt.asIntN(64, value) === value);
      }),
    );
  });

  test('texts are ordered like the integers that they represent', () => {
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        expect(compareInt64(String(a), String(b))).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });
});
