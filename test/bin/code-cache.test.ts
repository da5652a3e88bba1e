import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packCode, unpackCode } from '../../bin/cli/code-cache.ts';

const code = fc.array(fc.tuple(fc.string(), fc.uint8Array())).map((parts) => new Map(parts));

test('reads the code that was written', () => {
  fc.assert(
    fc.property(code, (written) => {
      const read = unpackCode(packCode(written));
      expect(Array.from(read, ([name, bytes]) => [name, Uint8Array.from(bytes)])).toEqual([...written]);
    }),
  );
});

test('uses nothing from a file that is shorter, longer or different in one bit', () => {
  const packed = packCode(new Map([['./part.cjs', Uint8Array.of(1, 2, 3)]]));
  for (let at = 0; at < packed.length; at += 1) {
    expect(unpackCode(packed.subarray(0, at)).size).toBe(0);
    expect(unpackCode(packed.with(at, (packed[at] as number) ^ 1)).size).toBe(0);
  }
  expect(unpackCode(Uint8Array.of(...packed, 0)).size).toBe(0);
});
