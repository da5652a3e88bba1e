import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, canonicalPieces } from '../../src/lib/canonical-json.ts';
import { sha256Hex, sha256HexOf } from '../../src/lib/hash.ts';
import { jsonPieces } from '../../src/lib/json-pieces.ts';

/** Keys that look like numbers come first in every object, whatever their order. */
const keys = fc.string().filter((key) => !/^\d+$/.test(key));
const values = fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue()));
const documents = fc.dictionary(keys, values) as fc.Arbitrary<Record<string, unknown>>;

describe('a document in pieces', () => {
  it('is, put together, what is written at once', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect([...jsonPieces(document)].join('')).toBe(JSON.stringify(document, null, 2));
        expect([...canonicalPieces(document)].join('')).toBe(canonicalJson(document));
      }),
      { numRuns: 500 },
    );
  });

  it('leaves out what is undefined', () => {
    expect([...jsonPieces({ a: undefined, b: 1 })].join('')).toBe('{\n  "b": 1\n}');
    expect([...jsonPieces({ a: undefined })].join('')).toBe('{}');
    expect([...canonicalPieces({ a: undefined })].join('')).toBe('{}');
  });

  it('turns the items of its lists, one at a time', () => {
    const double = (item: unknown) => (item as number) * 2;
    expect(JSON.parse([...jsonPieces({ n: [1, 2] }, double)].join(''))).toEqual({ n: [2, 4] });
    expect([...canonicalPieces({ n: [1, 2] }, double)].join('')).toBe('{"n":[2,4]}');
  });

  it('has no long piece, however long its lists are', () => {
    const pieces = [...jsonPieces({ items: Array.from({ length: 20_000 }, (_, index) => ({ index })) })];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(30_000);
  });

  it('has the hash of the whole', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 200 })), fc.nat(700), (parts, times) => {
        const pieces = Array.from({ length: times }, () => parts).flat();
        expect(sha256HexOf(pieces)).toBe(sha256Hex(pieces.join('')));
      }),
      { numRuns: 30 },
    );
  });
});
