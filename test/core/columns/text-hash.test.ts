import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashesOf, hashOf } from '../../../src/core/columns/text-hash.ts';

const encoder = new TextEncoder();

describe('the hashes of bytes', () => {
  it('are those of their texts of ASCII, with their letters lowered or not', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary-ascii' })), fc.boolean(), (texts, lowerAscii) => {
        const bytes = encoder.encode(`|${texts.join('|')}`);
        const ends = texts.map((_, index) => 1 + texts.slice(0, index + 1).join('|').length);
        const places = {
          starts: Uint32Array.from(texts, ({ length }, index) => (ends[index] as number) - length),
          ends: Uint32Array.from(ends),
          count: texts.length,
        };
        expect([...hashesOf(bytes, places, lowerAscii)]).toEqual(
          texts.map((text) => hashOf(text, lowerAscii)),
        );
      }),
    );
  });

  it('are none of a text that ends if the bytes begin', () => {
    const places = { starts: Uint32Array.of(0, 0), ends: Uint32Array.of(0, 1), count: 2 };
    expect([...hashesOf(encoder.encode('A'), places)]).toEqual([-1, hashOf('A')]);
  });
});

describe('the hash of a text with lowered letters', () => {
  it('is that of the lowered text, and none for a text that is not ASCII', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        expect(hashOf(text, true)).toBe(hashOf(text.toLowerCase()));
      }),
    );
    expect(hashOf('AÄ', true)).toBe(-1);
  });
});
