import { describe, expect, it } from 'vitest';
import { whyUnclaimable } from '../../../src/input/writing/claimable-name.ts';
import { type GivenHost, givenFleet } from '../../given/fleet.ts';

/** Why the first of these hosts can't keep its name in a file. */
function why(hosts: readonly GivenHost[], taken: readonly string[] = []): string | undefined {
  const fleet = givenFleet(hosts);
  return whyUnclaimable(fleet.at(0), fleet, (folded) => taken.includes(folded));
}

const twins = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: 10 + index, name: index % 2 === 0 ? 'A' : 'a' }));

describe('a name is left out if', () => {
  const cases: readonly (readonly [what: string, found: string | undefined, expected: string])[] = [
    ['there is none', why([{ id: 1, name: null }]), 'the service has no name for it'],
    ['it is blank', why([{ id: 1, name: ' \t ' }]), 'its name is blank: " ␉ "'],
    [
      'it is on its way to another',
      why([{ id: 1, name: 'B\nx ~rampart~3f9a1c' }]),
      'an unfinished run left its temporary name; its intended name is "B␊x"',
    ],
    [
      'a deletion was begun',
      why([{ id: 1, name: 'B ~rampart-gone~3f9a1c' }]),
      'an unfinished run was about to delete it; its previous name is "B"',
    ],
    [
      'it has half a character',
      why([{ id: 1, name: 'a\ud800' }]),
      'its name contains half a character: "a‹U+D800›"',
    ],
    [
      'it is too long for a line',
      why([{ id: 1, name: 'x'.repeat(100_001) }]),
      `its name has 100001 characters: "${'x'.repeat(80)}…"`,
    ],
    [
      'others fold alike',
      why(twins(3).toReversed()),
      'the service may treat its name "A" as equal to "A" (host 10), "a" (host 11)',
    ],
    [
      'many others do',
      why(twins(10_000)),
      'the service may treat its name "A" as equal to the names of 9999 other hosts',
    ],
    [
      'another entry claims it',
      why([{ id: 1, name: 'A' }], ['a']),
      'its name "A" is claimed by another entry',
    ],
  ];
  for (const [what, found, expected] of cases) it(what, () => expect(found).toBe(expected));
});

describe('a name is kept if', () => {
  for (const name of ['A', ' edges ', 'rtl\u202e', 'nul\u0000', 'x'.repeat(100_000), 'a ~rampart', '~']) {
    it(JSON.stringify(name.slice(0, 20)), () => expect(why([{ id: 1, name }])).toBeUndefined());
  }
});
