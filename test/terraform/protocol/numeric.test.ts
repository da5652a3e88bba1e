import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatJson, parseJson } from '../../../src/terraform/protocol/value/json.ts';
import {
  Decimal,
  isNumeric,
  keyOfNumeric,
  type Numeric,
  numericFromText,
  textOfNumeric,
} from '../../../src/terraform/protocol/value/numeric.ts';
import { arbitraryNumeric } from './given/arbitrary-value.ts';

describe('a number takes the form that holds it', () => {
  test.each<[string, Numeric]>([
    ['7', 7],
    ['-0', 0],
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', 9007199254740993n],
    ['1e3', 1000],
    ['1.0', 1],
    ['1e30', 10n ** 30n],
    ['0.1', 0.1],
    ['1e-7', 1e-7],
    ['.5', 0.5],
    ['0.30000000000000004', 0.30000000000000004],
    ['0.3000000000000000400', 0.30000000000000004],
    ['0.12345678901234567890', new Decimal('0.12345678901234567890')],
    ['1e-400', new Decimal('1e-400')],
  ])('%s', (text, value) => {
    expect(numericFromText(text)).toEqual(value);
  });

  test.each(['', '.', 'e3', '0x10', '1_000', 'NaN', ' 1', '1e9999999', '1e200000'])(
    '%j is not one',
    (text) => {
      expect(() => numericFromText(text)).toThrow(RangeError);
    },
  );
});

test('writing and reading a number changes nothing', () => {
  fc.assert(
    fc.property(arbitraryNumeric, (value) => {
      expect(numericFromText(textOfNumeric(value))).toEqual(value);
      expect(isNumeric(value)).toBe(true);
    }),
  );
});

test('one number has one key, however it is written', () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat({ max: 9 }), (whole, zeros) => {
      const plain = keyOfNumeric(numericFromText(`${whole}`));
      expect(keyOfNumeric(new Decimal(`${whole}.${'0'.repeat(zeros + 1)}`))).toBe(plain);
      expect(keyOfNumeric(new Decimal(`${whole}${'0'.repeat(zeros)}e-${zeros}`))).toBe(plain);
    }),
  );
});

test('JSON keeps every digit', () => {
  const text =
    '{"big":123456789012345678901234567890,"fraction":0.12345678901234567890,"id":9007199254740993,"n":[1,1.5,"x",null]}';
  expect(formatJson(parseJson(text))).toBe(text);
});
