import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../../../src/core/columns/text-hash.ts';
import { assetKey, assetKeyHash } from '../../../../src/core/plan/intents/asset-key.ts';

describe('the key of a machine', () => {
  it.each([
    ['5CG0012F7K', '5cg0012f7k'],
    ['  a1\t', 'a1'],
    ['VMware-56 4d', 'vmware-56 4d'],
    ['X0', 'x0'],
    ['00', '00'],
    ['11', '11'],
    ['1234', '1234'],
    ['12345678901', '12345678901'],
    ['0001', '0001'],
    ['ÄÖ', 'äö'],
    ['A\u030a1', '\u00e51'],
    ['none of these', 'none of these'],
    ['Unknown PC', 'unknown pc'],
  ])('%s is compared as "%s"', (text, key) => {
    expect(assetKey(text)).toBe(key);
  });

  it.each([
    '',
    '   ',
    '0',
    'x',
    '000',
    'XXXXXXXX',
    '-------',
    '…',
    '1-1-1-1',
    '12345',
    '123456',
    '1234567',
    '12345678',
    '123456789',
    '1234567890',
    '0123456789',
    'To be filled by O.E.M.',
    'TO BE FILLED BY O.E.M.O.E.M.',
    'O.E.M.',
    'Default string',
    'System Serial Number',
    'Chassis Serial Number',
    'Base Board Serial Number',
    'Serial Number',
    'Asset Tag',
    'No Asset Tag',
    'No Asset Information',
    'Not Specified',
    'Not Applicable',
    'Not Available',
    'None',
    'NULL',
    'nil',
    'N/A',
    'Unknown',
    'undefined',
    'INVALID',
    'Empty',
    'blank',
    'default',
    'TBD',
  ])('ignores "%s", which identifies no machine', (text) => {
    expect(assetKey(text)).toBeUndefined();
    expect(assetKeyHash(text)).toBe(-1);
  });

  it('has the hash of its text, for any text', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('0', '000', 'a', 'A1', ' n/a ', '\u212a1', 'A\u030a1', 'Ünter', '１'),
    );
    fc.assert(
      fc.property(text, (given) => {
        const key = assetKey(given);
        expect(assetKeyHash(given)).toBe(key === undefined ? -1 : hashOf(key));
      }),
      { numRuns: 100 },
    );
  });

  it.each(['0', '1', 'x'])('is read once, even if it is "%s" a million times', (character) => {
    expect(assetKeyHash(character.repeat(1_000_000))).toBe(-1);
  });
});
