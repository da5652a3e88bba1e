import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyFault } from '../../../src/core/lib/key-fault.ts';

/** Pairs of keys and values, of which keys can be the same. */
type Pairs = { readonly pairs: readonly (readonly [string, Value])[] };
type Value = string | readonly Value[] | Pairs;

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('', 'a:b', '{"a"', '\\', '"', ']'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'A', '"', '\\', ''), tie('value')), { maxLength: 4 })
      .map((pairs) => ({ pairs })),
  ),
}));

function print(given: Value): string {
  if (typeof given === 'string') return JSON.stringify(given);
  if ('pairs' in given)
    return `{ ${given.pairs.map(([key, part]) => `${JSON.stringify(key)} : ${print(part)}`).join(' , ')} }`;
  return `[ ${given.map(print).join(', ')} ]`;
}

function keysAreOnce(given: Value): boolean {
  if (typeof given === 'string') return true;
  if (!('pairs' in given)) return given.every(keysAreOnce);
  const keys = given.pairs.map(([key]) => key);
  return new Set(keys).size === keys.length && given.pairs.every(([, part]) => keysAreOnce(part));
}

describe('a fault of a key', () => {
  it('is found if and only if an object has a key twice', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(keyFault(print(given)) === undefined).toBe(keysAreOnce(given));
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['a repeated key', '{"a":1,"b":{"a":1},"a":2}', 'the key "a" appears twice in one object', 19],
    ['one behind an object with the same keys', '[{"a":1,"b":1},{"a":1,"b":1,"a":1}]', 'appears twice', 28],
    ['one that is spelled with an escape', String.raw`{"a":1,"\u0061":2}`, 'appears twice', 7],
    ['a key that is not spelled well', '{"a":1,"B":2}', 'the key "B" is odd', 7],
    ['objects that are too deep', '['.repeat(101) + ']'.repeat(101), 'nested more than 100 deep', 100],
  ])('has its place and a reason: %s', (_, text, reason, offset) => {
    const fault = keyFault(text, { spelling: /^[a-z]$/, misspelled: 'is odd' });
    expect(fault?.message).toContain(reason);
    expect(fault?.offset).toBe(offset);
  });

  it('is found in linear time', () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`k${at}`, 1])));
    expect(keyFault(text)).toBeUndefined();
    expect(keyFault(`[${text},${text.slice(0, -1)},"k0":1}]`)?.message).toContain('"k0" appears twice');
  });
});
