import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areSurelyApart } from '../../../src/input/claims/are-surely-apart.ts';
import { checkClaims } from '../../../src/input/claims/check-claims.ts';
import { type GivenEntry, givenDesired } from '../../given/desired.ts';

describe('entries are surely apart', () => {
  test('only if a comparison of the claims finds nothing', () => {
    let apart = 0;
    let found = 0;
    fc.assert(
      fc.property(fc.array(entries, { maxLength: 6 }), (given) => {
        const placed = givenDesired(given);
        // The entry that may be found by a previous name makes the check look for the claimants.
        const problems = checkClaims(givenDesired([...given, { name: 'Z', previously: ['Y'] }]));
        if (problems.length > 0) found += 1;
        if (!areSurelyApart(placed)) return;
        apart += 1;
        expect(problems).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
    expect({ apart: apart > 200, found: found > 200 }).toEqual({ apart: true, found: true });
  });

  test.each<[string, boolean, readonly GivenEntry[]]>([
    ['nothing', true, []],
    ['ids and names that differ', true, [{ id: 1, name: 'A' }, { id: 2, name: 'B' }, { name: 'C' }]],
    [
      'the anti-virus beside names',
      true,
      [
        { id: 1, antivirus: true },
        { name: 'C', antivirus: true },
      ],
    ],
    [
      'a deletion by id',
      true,
      [
        { id: 1, ensure: 'absent' },
        { id: 2, name: 'B' },
      ],
    ],
    ['one id twice', false, [{ id: 1 }, { id: 1 }]],
    [
      'names that differ in letter case',
      false,
      [
        { id: 1, name: 'A' },
        { id: 2, name: 'a' },
      ],
    ],
    ['a deletion by name', false, [{ name: 'A', ensure: 'absent' }]],
    ['a previous name without an id', false, [{ name: 'A', previously: ['B'] }]],
    ['a letter that may look like another', false, [{ id: 1, name: 'А' }]],
  ])('%s: %s', (_, expected, given) => {
    expect(areSurelyApart(givenDesired(given))).toBe(expected);
  });
});

const names = fc.constantFrom('A', 'a', 'B', 'C', 'D', 'А', 'Ä');
const entries: fc.Arbitrary<GivenEntry> = fc.oneof(
  fc.record({ id: fc.integer({ min: 1, max: 9 }), name: names }),
  fc.record({ name: names }),
  fc.record({ name: names, previously: fc.array(names, { maxLength: 1 }) }),
  fc.record({ id: fc.integer({ min: 1, max: 9 }), ensure: fc.constant('absent' as const) }),
  fc.record({ name: names, ensure: fc.constant('absent' as const) }),
);
