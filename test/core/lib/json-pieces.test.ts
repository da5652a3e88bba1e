import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/core/lib/canonical-json.ts';
import { sha256Hex, sha256HexOf } from '../../../src/core/lib/hash.ts';
import { jsonPieces } from '../../../src/core/lib/json-pieces.ts';
import { jsonWriter } from '../../../src/core/lib/json-writer.ts';

/** Keys that look like numbers come first in every object, whatever their order. */
const keys = fc.string({ unit: 'binary', maxLength: 6 }).filter((key) => !/^\d+$/.test(key));
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(fc.string({ unit: 'binary' }), fc.double(), fc.constantFrom(null, true, undefined, -0)),
    fc.array(tie('value')),
    fc.dictionary(keys, tie('value')),
  ),
}));
const documents = fc.dictionary(keys, values);

describe('a document in pieces', () => {
  it('equals, joined, the text that is written at once', () => {
    fc.assert(
      fc.property(documents, (document) => {
        const laidOut = [
          [{}, JSON.stringify(document)],
          [{ lines: true }, JSON.stringify(document, null, 2)],
          [{ sorted: true }, canonicalJson(document)],
        ] as const;
        for (const [layout, text] of laidOut) {
          expect(jsonWriter(layout)(document)).toBe(text);
          expect([...jsonPieces(document, layout)].join('')).toBe(text);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('leaves out undefined values', () => {
    const lines = { lines: true };
    expect([...jsonPieces({ a: undefined, b: 1 }, lines)].join('')).toBe('{\n  "b": 1\n}');
    expect([...jsonPieces({ a: undefined }, lines)].join('')).toBe('{}');
    expect([...jsonPieces({ a: undefined })].join('')).toBe('{}');
  });

  it('spells keys at every depth, and sorts them as they are spelled', () => {
    const spell = (key: string) => (key === 'a' ? 'z' : key);
    const text = '{"b":[{"c":2,"z":1}],"z":3}';
    expect([...jsonPieces({ a: 3, b: [{ a: 1, c: 2 }] }, { spell, sorted: true })].join('')).toBe(text);
  });

  it('has no long piece, even if its lists are long', () => {
    const pieces = [
      ...jsonPieces({ items: Array.from({ length: 20_000 }, (_, index) => ({ index })) }, { lines: true }),
    ];
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(30_000);
  });

  it('has the hash of the whole document', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 200 })), fc.nat(700), (parts, times) => {
        const pieces = Array.from({ length: times }, () => parts).flat();
        expect(sha256HexOf(pieces)).toBe(sha256Hex(pieces.join('')));
      }),
      { numRuns: 10 },
    );
  });
});
