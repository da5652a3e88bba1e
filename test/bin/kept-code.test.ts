import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packCode, unpackCode } from '../../bin/cli/kept-code.ts';

const code = fc.array(fc.tuple(fc.string(), fc.uint8Array())).map((parts) => new Map(parts));

test('code comes out of a file as it went in', () => {
  fc.assert(
    fc.property(code, (kept) => {
      const unpacked = unpackCode(packCode(kept));
      expect(Array.from(unpacked, ([name, bytes]) => [name, Uint8Array.from(bytes)])).toEqual([...kept]);
    }),
  );
});

test('of a file that is cut short, holds more or differs in a bit, nothing is used', () => {
  const packed = packCode(new Map([['./part.cjs', Uint8Array.of(1, 2, 3)]]));
  for (let at = 0; at < packed.length; at += 1) {
    expect(unpackCode(packed.subarray(0, at)).size).toBe(0);
    expect(unpackCode(packed.with(at, (packed[at] as number) ^ 1)).size).toBe(0);
  }
  expect(unpackCode(Uint8Array.of(...packed, 0)).size).toBe(0);
});
