import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldAlike, foldName } from '../../../src/core/model/host-name.ts';

describe('folding a name', () => {
  it.each([
    ['BER-WEB-01', 'ber-web-01'],
    ['Mu\u0308nchen', 'm\u00fcnchen'],
    ['MÜNCHEN', 'münchen'],
    [' A ', ' a '],
    ['', ''],
  ])('%j is the same to the service as %j', (name, folded) => expect(foldName(name)).toBe(foldName(folded)));
  it.each([
    ['A', 'B'],
    ['straße', 'strasse'],
    ['A', 'А'],
  ])('%j is not %j', (a, b) => expect(foldName(a)).not.toBe(foldName(b)));
  it('can be skipped to see whether two names fold alike', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('A', 'a', 'É', 'é', 'e\u0301'),
        fc.string(),
        fc.boolean(),
        (start, rest, same) => {
          const [a, b] = [`${start}${rest}`, same ? `${start.toLowerCase()}${rest.toUpperCase()}` : rest];
          expect(foldAlike(a, b)).toBe(foldName(a) === foldName(b));
        },
      ),
    ));
  it('makes no difference between letter cases of ASCII', () =>
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(foldName(name.toUpperCase())).toBe(foldName(name.toLowerCase()));
      }),
    ));
});
