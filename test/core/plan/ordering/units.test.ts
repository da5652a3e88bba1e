import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../../src/core/plan/make-plan.ts';
import { unitsOf } from '../../../../src/core/plan/ordering/units.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../../given/desired.ts';
import { at, type GivenHost, givenFleet, hostId, named } from '../../../given/fleet.ts';
import { deleteStep, renameStep } from '../../../given/steps.ts';

const hosts = named('A', 'B', 'C', 'D');

/** Which of the hosts share a unit, as the plan for these entries orders them. */
function together(
  entries: readonly GivenEntry[],
  deleteFirst = false,
  fleet: readonly GivenHost[] = hosts,
): readonly (readonly number[])[] {
  const plan = makePlan({
    desired: givenDesired(entries, noLimits),
    observed: givenFleet(fleet, {}),
    account: { companyId: '1', service: 'emulator' },
    now: at,
    deleteFirst,
  });
  const units = unitsOf(plan.steps);
  const groups = Map.groupBy([1, 2, 3, 4], (id) => units.of(hostId(id)));
  return [...groups.values()].filter((group) => group.length > 1);
}

describe('the hosts of a unit', () => {
  it('are all hosts with a name that one of them takes, if they are deleted first', () => {
    const entries = [{ id: 2, name: 'A' }, ...[1, 4].map((id) => ({ id, ensure: 'absent' as const }))];
    expect(together(entries, true, [...hosts.slice(0, 3), { id: 4, name: 'a' }])).toEqual([[1, 2, 4]]);
  });

  it('are found of 100,000 hosts to be deleted that have one name', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => index + 1);
    const toDelete = ids.map((id) => ({ id, name: 'A' }));
    const units = unitsOf([deleteStep('s1', toDelete), renameStep('s2', { id: 0, name: 'B' }, 'A')]);
    expect(new Set(ids.map((id) => units.of(hostId(id))))).toEqual(new Set([hostId(0)]));
  });
});
