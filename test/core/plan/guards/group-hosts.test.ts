import { expect, test } from 'vitest';
import { noFacts } from '../../../../src/core/model/facts.ts';
import type { Observed } from '../../../../src/core/model/observed.ts';
import { type GroupPolicy, noPolicy } from '../../../../src/core/model/policy.ts';
import { policyProblems } from '../../../../src/core/plan/guards/policies.ts';
import { expulsions } from '../../../../src/core/plan/intents/groups.ts';
import { at, givenFleet, groupId } from '../../../given/fleet.ts';

const place = { file: 'fleet.yaml', line: 1, col: 1 };
const numbers = Array.from({ length: 100 }, (_, index) => index + 1);
const names = Object.fromEntries(numbers.map((number) => [number, `Group ${number}`]));
const fleet = givenFleet(
  numbers.map((id) => ({ id, name: `PC-${id}`, group: id })),
  names,
);

function exclusive(number: number): GroupPolicy {
  return {
    group: { kind: 'id', id: groupId(number) },
    exclusive: true,
    unmanaged: 'report',
    limits: {},
    place,
  };
}

/** How many hosts are read if this many groups have a policy. */
function readsOf(count: number, judge: (observed: Observed, groups: readonly GroupPolicy[]) => number) {
  let reads = 0;
  const counted: Observed['at'] = (index) => {
    reads += 1;
    return fleet.at(index);
  };
  expect(judge({ ...fleet, at: counted }, numbers.slice(0, count).map(exclusive))).toBe(count);
  return reads;
}

test.each([
  [
    'judged',
    (observed: Observed, groups: readonly GroupPolicy[]) =>
      policyProblems({
        policy: { ...noPolicy, groups },
        changes: [],
        observed,
        facts: noFacts,
        now: at,
        isClaimed: () => true,
        claimsGroup: () => false,
      }).problems.length,
  ],
  [
    'moved to others',
    (observed: Observed, groups: readonly GroupPolicy[]) => {
      const othersTo = { group: { kind: 'ungrouped' } as const, place };
      const away = groups.map((each) => ({ ...each, othersTo }));
      return expulsions({ ...noPolicy, groups: away }, observed, () => false).length;
    },
  ],
])('the hosts of all exclusive groups are %s without reading the fleet for each group', (_, judge) => {
  expect(readsOf(100, judge)).toBe(readsOf(1, judge));
});
