import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, hashOfBytes } from '../../src/lib/text-hash.ts';

const encoder = new TextEncoder();

describe('the hash of bytes', () => {
  it('is that of their text where it is ASCII, with its letters lowered or not', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary-ascii' }),
        fc.nat(3),
        fc.boolean(),
        (text, before, lowerAscii) => {
          const bytes = encoder.encode(`${'x'.repeat(before)}${text}A`);
          expect(hashOfBytes(bytes, before, bytes.length - 1, lowerAscii)).toBe(hashOf(text, lowerAscii));
          if (lowerAscii) expect(hashOf(text, true)).toBe(hashOf(text.toLowerCase()));
        },
      ),
    );
  });
  it('is none for another text', () => {
    const bytes = encoder.encode('AÄ');
    expect(hashOfBytes(bytes, 0, bytes.length)).toBe(-1);
    expect(hashOfBytes(bytes, 0, 1)).toBe(hashOf('A'));
  });
});
