import { describe, expect, it } from 'vitest';
import { firstTaken, joinNumbers, readNumber } from '../../../src/core/model/numbered-name.ts';

describe('the number of a name', () => {
  it.each([
    ['BER-LT-042', '3 ber-lt-', 42],
    ['7', '1 ', 7],
    ['a0', '1 a', 0],
    ['a9', '1 a', 9],
    ['PC 000000001', '9 pc ', 1],
    ['x1y22', '2 x1y', 22],
  ])('is the digits at the end of %s', (name, key, number) => {
    expect(readNumber(name)).toEqual({ key, number });
  });

  it.each(['', 'BER-LT-', '042-BER', 'PC0123456789', 'a/', 'a:'])('is missing in "%s"', (name) => {
    expect(readNumber(name)).toBeUndefined();
  });
});

describe('records of numbers', () => {
  const of = (prefix: string, digits: number, last: number) => ({ prefix, digits, last });

  it.each([
    ['the higher one of two', [of('A', 3, 5)], [of('a', 3, 9)], [of('a', 3, 9)]],
    ['the earlier one if it is higher', [of('A', 3, 9)], [of('a', 3, 5)], [of('A', 3, 9)]],
    ['the earlier one of two equal ones', [of('A', 3, 5)], [of('a', 3, 5)], [of('A', 3, 5)]],
    ['one for each length', [of('A', 3, 5)], [of('A', 2, 9)], [of('A', 3, 5), of('A', 2, 9)]],
    ['one for each prefix', [of('A', 3, 5)], [of('B', 3, 1)], [of('A', 3, 5), of('B', 3, 1)]],
  ])('joined have %s', (_, earlier, later, joined) => {
    expect(joinNumbers(earlier, later)).toEqual(joined);
  });

  it.each([
    ['begins with the last number', 5, true],
    ['begins before the last number', 4, true],
    ['begins after the last number', 6, false],
  ])('show that a number was given if a range %s', (_, first, isTaken) => {
    const range = { ...of('a', 3, 8), first };
    expect(firstTaken([of('A', 3, 5)], [range])).toEqual(isTaken ? range : undefined);
  });
});
