import { describe, expect, it } from 'vitest';
import { noFacts } from '../../../../src/core/model/facts.ts';
import type { UnreadableHost } from '../../../../src/core/model/unreadable-host.ts';
import { checkRecord } from '../../../../src/server/accounts/rules/check-result.ts';
import { givenFleet, hostId } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';

const hosts = [{ id: 1, name: 'A' }];

describe('the fleet of a check', () => {
  const fleetWith = (unreadable: readonly UnreadableHost[]) => {
    const observed = { ...givenFleet(hosts), unreadable };
    const plan = givenPlan({ entries: [], hosts });
    const { fleet } = checkRecord(
      { observed, plan, facts: noFacts, drift: [], coverage: [], warnings: [] },
      () => false,
    );
    return fleet;
  };

  it("counts hosts that the list has in a form that can't be read, and names them", () => {
    const second = { position: 1, id: hostId(2), why: 'it has no name' };
    expect(fleetWith([second])).toMatchObject({ count: 2, unreadable: ['2'] });
    expect(fleetWith([second, { position: 2, why: 'it is null' }])).toMatchObject({
      count: 3,
      unreadable: 'any',
    });
    expect(fleetWith([])).not.toHaveProperty('unreadable');
    expect(fleetWith([second])?.digest).not.toBe(fleetWith([])?.digest);
  });
});
