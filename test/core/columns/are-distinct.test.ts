import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areHashesDistinct, areInOrder, areSurelyDistinct } from '../../../src/core/columns/are-distinct.ts';

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
    const hashes = Float64Array.from({ length: 50_000 }, (_, index) => (index + 1) * 0x100000);
    expect(areHashesDistinct(hashes)).toBe(false);
  });

  test('whatever is left out', () => {
    expect(areHashesDistinct(Float64Array.of(-1, 5, -1))).toBe(true);
    expect(areSurelyDistinct([])).toBe(true);
  });
});

const ids = fc.array(fc.bigInt({ min: -1_200n, max: 1_200n }).map(String));

/** The texts one after another, as a list has them. An empty text stands for a row without one. */
function areWrittenInOrder(texts: readonly string[]): boolean {
  const all = `,${texts.join(',')}`;
  let at = 0;
  const ends = Uint32Array.from(texts, (text) => (at += 1 + text.length));
  const starts = ends.map((end, index) => end - (texts[index] as string).length);
  const missing = ends.map((end, index) => (texts[index] === '' ? 0 : end));
  return areInOrder(Buffer.from(all), { starts, ends: missing, count: texts.length });
}

describe('texts are in order', () => {
  test('if each is greater than all before it of its length', () => {
    fc.assert(
      fc.property(ids, (texts) => {
        const before = (index: number) =>
          texts.slice(0, index).filter(({ length }) => length === texts[index]?.length);
        const isExpected = texts.every((text, index) => before(index).every((each) => each < text));
        expect(areWrittenInOrder(texts)).toBe(isExpected);
        const sorted = [...new Set(texts)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
        expect(areWrittenInOrder(sorted)).toBe(true);
      }),
    );
  });

  test('never if two are equal', () => {
    fc.assert(
      fc.property(ids, ids, ids, fc.bigInt().map(String), (first, between, last, id) => {
        expect(areWrittenInOrder([...first, id, ...between, id, ...last])).toBe(false);
      }),
    );
  });

  test('whatever is left out, and never if they are longer than ids', () => {
    expect(areWrittenInOrder(['1', '', '2', '', '10', '3', '-11'])).toBe(true);
    expect(areWrittenInOrder(['1'.repeat(21)])).toBe(false);
  });
});
