import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Observed } from '../../../src/core/model/observed.ts';
import { compare } from '../../../src/core/plan/difference/compare.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { givenGroups, reorganizations } from '../../given/arbitrary-fleet.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { at, type GivenHost, givenFleet, named } from '../../given/fleet.ts';
import { type GivenRule, givenRules } from '../../given/rules.ts';

const ids = fc.integer({ min: 1, max: 9 });
const names = fc.constantFrom('A', 'a', 'B', 'C', 'KÖLN', 'köln', 'Ko\u0308ln');

const hosts: fc.Arbitrary<readonly GivenHost[]> = fc.uniqueArray(
  fc.record({ id: ids, name: fc.option(names), group: fc.constantFrom(10, 11, -1) }),
  { selector: ({ id }) => id, maxLength: 8 },
);

const entries: fc.Arbitrary<readonly GivenEntry[]> = fc.array(
  fc.oneof(
    fc.record({ id: ids, name: names, group: fc.constantFrom('Berlin', null) }, { requiredKeys: ['id'] }),
    fc.record({ id: ids, ensure: fc.constant('absent' as const) }),
  ),
  { maxLength: 6 },
);

const rules: fc.Arbitrary<readonly GivenRule[]> = fc.subarray([
  { when: ({ name }) => name === 'C', rename: ({ name }) => `${name}+` },
  { when: ({ name }) => name.startsWith('B'), rename: () => 'BB', group: { kind: 'named', name: 'Munich' } },
  { when: ({ name }) => name === 'a', ensure: 'absent' },
]);

describe('shortcuts that avoid checking every host', () => {
  it('changes nothing in the plan of any fleet, desired state and rules', () => {
    fc.assert(
      fc.property(hosts, entries, rules, (given, intended, asked) => expectSame(given, intended, asked)),
      { numRuns: 50 },
    );
  });

  it('changes nothing in the plan of a reorganization', () => {
    fc.assert(
      fc.property(reorganizations, (given) => expectSame(given.hosts, given.entries, [])),
      { numRuns: 40 },
    );
  });
});

it.each([
  ['free', true, ['C', 'D']],
  ['the name that another renamed host gives up', false, ['C', 'A']],
  ['the name of a host that keeps it', false, ['KEPT', 'D']],
  ['its own in another letter case', false, ['a', 'D']],
])('links no renames if each new name is free: %s', (_, areFree, [first = '', second = '']) => {
  const observed = givenFleet(named('A', 'B', 'kept'));
  const desired = givenDesired([
    { id: 1, name: first },
    { id: 2, name: second },
  ]);
  const account = { companyId: '1', service: 'https://service.test' };
  expect(compare({ desired, observed, account, now: at }, observed).areNamesFree).toBe(areFree);
});

/**
 * An entry without an id makes the planner match every entry separately; this one matches no host, and requests
 * nothing.
 */
const nobody: GivenEntry = { name: 'nobody', ensure: 'absent' };

function expectSame(
  given: readonly GivenHost[],
  intended: readonly GivenEntry[],
  asked: readonly GivenRule[],
): void {
  const observed = givenFleet(given, givenGroups);
  const plan = (fleet: Observed, entries: readonly GivenEntry[]): Plan =>
    makePlan({
      desired: givenDesired(entries, noLimits, givenRules(asked)),
      observed: fleet,
      account: { companyId: '1', service: 'https://service.test' },
      now: at,
    });
  const slow = plan({ ...observed, hasNamesAlike: () => true }, [...intended, nobody]);
  expect(plan(observed, intended)).toEqual(slow);
}
