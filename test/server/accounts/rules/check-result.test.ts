import { describe, expect, it } from 'vitest';
import { type Facts, type InventoryRecord, noFacts } from '../../../../src/core/model/facts.ts';
import type { UnreadableHost } from '../../../../src/core/model/observed.ts';
import { noLine, problem } from '../../../../src/core/problem/problem.ts';
import { checkRecord, failureOf } from '../../../../src/server/accounts/rules/check-result.ts';
import { givenFleet, hostId } from '../../../given/fleet.ts';
import { givenPlan } from '../../../given/plan.ts';

const hosts = [{ id: 1, name: 'A' }];

describe('the fleet of a check', () => {
  const fleetWith = (unreadable: readonly UnreadableHost[]) => {
    const observed = { ...givenFleet(hosts), unreadable };
    const plan = givenPlan({ entries: [], hosts });
    const { fleet } = checkRecord({ observed, plan, facts: noFacts, drift: [], coverage: [] }, () => false);
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

  it('has the custom fields and the serial number of a host if the desired state reads them', () => {
    const observed = givenFleet(hosts);
    const plan = givenPlan({ entries: [], hosts });
    const fleetOf = (serviceTag: unknown, fields?: Readonly<Record<string, string>>) => {
      const facts: Facts = {
        ...noFacts,
        customFieldsOf: () => fields,
        inventoryOf: (kind) => (kind === 'hardware' ? ({ serviceTag } as InventoryRecord) : undefined),
      };
      const check = { observed, plan, facts, drift: [], coverage: [] };
      return checkRecord(check, () => false).fleet;
    };
    const known = fleetOf('ST-1', { antivirus: 'a field', Site: 'Berlin' });
    expect(known?.hosts()[0]?.facts).toEqual({
      serviceTag: 'ST-1',
      'customFields.antivirus': 'a field',
      'customFields.Site': 'Berlin',
    });
    expect(fleetOf(['a list'])?.hosts()[0]).not.toHaveProperty('facts');
    const digests = [known, fleetOf('ST-2', { Site: 'Berlin' }), fleetOf('ST-2', { Site: 'Paris' })];
    expect(new Set(digests.map((fleet) => fleet?.digest)).size).toBe(3);
  });
});

it.each([
  ['the line and the column of its place', {}, { line: 3, column: 5 }],
  ['no column if only the line is known', { wholeLine: true }, { line: 3 }],
  ['no line if the place has none', { line: noLine }, {}],
] as const)('the failure of a check has %s', (_, known, shown) => {
  const place = { file: 'fleet.yaml', line: 3, col: 5, ...known };
  const { place: reported } = failureOf([problem('invalid-value', 'it is wrong', { place })], (text) => text);
  expect(reported).toEqual({ file: 'fleet.yaml', ...shown });
});
