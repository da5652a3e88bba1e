import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName } from '../../../src/core/model/host-name.ts';
import {
  isTemporaryNameFor,
  readTemporaryName,
  temporaryName,
} from '../../../src/core/model/temporary-name.ts';
import { hostId } from '../../given/fleet.ts';

const nothing = new Set<string>();
const kinds = fc.constantFrom('rename' as const, 'deletion' as const);
const ids = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((id) => hostId(String(id)));
const names = fc.string({ unit: 'binary', minLength: 1 });

describe('a temporary name', () => {
  it('has the documented form', () => {
    expect(temporaryName('rename', hostId(7), 'BER-WEB-02', { taken: nothing })).toMatch(
      /^BER-WEB-02 ~rampart~[0-9a-f]{6}$/,
    );
    expect(temporaryName('deletion', hostId(7), 'OLD-KIOSK', { taken: nothing })).toMatch(
      /^OLD-KIOSK ~rampart-gone~[0-9a-f]{6}$/,
    );
  });
  it('is recognized for exactly its host, name and kind, on any machine', () => {
    fc.assert(
      fc.property(kinds, ids, names, (kind, id, name) => {
        const temporary = readTemporaryName(temporaryName(kind, id, name, { taken: nothing }));
        if (temporary === undefined) throw new Error('not recognized');
        expect(temporary).toMatchObject({ kind, shown: name });
        expect(isTemporaryNameFor(temporary, kind, id, name)).toBe(true);
        expect(isTemporaryNameFor(temporary, kind === 'deletion' ? 'rename' : 'deletion', id, name)).toBe(
          false,
        );
        expect(isTemporaryNameFor(temporary, kind, hostId(id === '1' ? 2 : 1), name)).toBe(false);
        expect(isTemporaryNameFor(temporary, kind, id, `x${name}`)).toBe(false);
      }),
    );
  });
  it('fits a maximum length, and is still recognized', () => {
    fc.assert(
      fc.property(kinds, ids, names, fc.integer({ min: 21, max: 40 }), (kind, id, name, maxLength) => {
        const text = temporaryName(kind, id, name, { taken: nothing, maxLength });
        expect(text.length).toBeLessThanOrEqual(maxLength);
        const temporary = readTemporaryName(text);
        expect(temporary !== undefined && isTemporaryNameFor(temporary, kind, id, name)).toBe(true);
      }),
    );
  });
  it('never cuts a character in two', () => {
    for (let maxLength = 16; maxLength < 30; maxLength += 1) {
      const text = temporaryName('rename', hostId(1), '🖥🖥🖥🖥🖥🖥', { taken: nothing, maxLength });
      expect(text.isWellFormed()).toBe(true);
    }
  });
  it('avoids every taken name, folded', () => {
    const taken = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const text = temporaryName('rename', hostId(1), 'A', { taken });
      expect(taken.has(foldName(text))).toBe(false);
      taken.add(foldName(text));
    }
  });
  it.each([
    null,
    '',
    'BER-WEB-02',
    'A ~rampart~',
    'A ~rampart~12345',
    'A ~rampart~GGGGGG',
    'A~rampart~123456',
    'A ~rampart~123456 ',
  ])('is not recognized in %j', (name) => expect(readTemporaryName(name)).toBeUndefined());
});
