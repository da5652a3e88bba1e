import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areSurelyDistinct } from '../../../src/core/columns/are-distinct.ts';

describe('texts are reported as distinct', () => {
  test('never if two are equal', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), fc.nat(), fc.nat(), (texts, from, to) => {
        const repeated = texts[from % texts.length] as string;
        expect(areSurelyDistinct(texts.toSpliced(to % (texts.length + 1), 0, repeated))).toBe(false);
      }),
    );
  });

  test.each([
    ['ids in a row', (index: number) => String(9007199254740993n + BigInt(index))],
    ['names in a row', (index: number) => `BER-WEB-${index}`],
    ['single characters', (index: number) => String.fromCharCode(index % 0xd000)],
  ])('if they are: %s', (_, text) => {
    expect(areSurelyDistinct(Array.from({ length: 50_000 }, (__, index) => text(index)))).toBe(true);
  });

  test('not if their hashes collide, which is found quickly', () => {
    const texts = Array.from({ length: 50_000 }, (_, index) => String(index));
    expect(areSurelyDistinct(texts, (text) => (Number(text) + 1) * 0x100000)).toBe(false);
  });

  test('whatever is left out', () => {
    expect(areSurelyDistinct([undefined, 'a', undefined])).toBe(true);
    expect(areSurelyDistinct([])).toBe(true);
  });
});
