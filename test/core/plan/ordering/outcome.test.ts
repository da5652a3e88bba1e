import { describe, expect, it } from 'vitest';
import { hostsOf } from '../../../../src/core/model/observed.ts';
import { compare, type HostDifference } from '../../../../src/core/plan/difference/compare.ts';
import { orderPlan } from '../../../../src/core/plan/ordering/order-plan.ts';
import { outcomeOf } from '../../../../src/core/plan/ordering/outcome.ts';
import { changedHosts, predict } from '../../../../src/core/plan/ordering/predict.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../../given/desired.ts';
import { at, type GivenHost, givenFleet } from '../../../given/fleet.ts';
import { antivirusStep } from '../../../given/steps.ts';

const hosts: readonly GivenHost[] = [
  { id: 1, name: 'A', antivirus: 'missing' },
  { id: 2, name: 'B' },
  { id: 3, name: 'C', group: 10, antivirus: 'missing' },
];

describe('the outcome of one change', () => {
  it.each<[what: string, entry: GivenEntry]>([
    ['a rename', { id: 1, name: 'X' }],
    ['a rename that a host blocks', { id: 1, name: 'B' }],
    ['a move', { id: 1, group: { id: 10 } }],
    ['a move out of all groups', { id: 3, group: null }],
    ['an install', { id: 1, antivirus: true }],
    ['an install on a host whose rename is blocked', { id: 1, name: 'B', antivirus: true }],
    ['everything at once', { id: 3, name: 'Y', group: null, antivirus: true }],
    ['a deletion', { id: 2, ensure: 'absent' }],
  ])('is what all steps of the plan predict: %s', (_, entry) => {
    const inputs = {
      desired: givenDesired([entry], noLimits),
      observed: givenFleet(hosts, { 10: 'Berlin' }),
      account: { companyId: '1', service: 'emulator' },
      now: at,
    };
    const difference = compare(inputs, inputs.observed);
    const { ordering, steps } = orderPlan(difference, inputs);
    const predicted = predict(inputs.observed, steps());
    expect(difference.changes).toHaveLength(1);
    for (const change of difference.changes) {
      const outcome = outcomeOf(ordering.blocked)(change);
      expect(outcome === undefined ? change.host : (outcome ?? undefined)).toEqual(
        predicted.byId(change.host.id),
      );
      expect(outcome === undefined).toBe(steps().length === 0);
    }
  });

  it('is an installed anti-virus, also on a host whose list did not show whether it supports one', () => {
    const [host] = hostsOf(givenFleet([{ id: 1, name: 'A' }]));
    if (host === undefined) throw new Error('no host');
    const antivirus = { supported: true, installed: true };
    const change = { host, antivirus: true } as HostDifference;
    expect(outcomeOf(new Set())(change)).toEqual({ ...host, antivirus });
    const changed = changedHosts((id) => (id === host.id ? host : undefined), [antivirusStep('s1', [1, 2])]);
    expect([...changed]).toEqual([[host.id, { ...host, antivirus }]]);
  });
});
