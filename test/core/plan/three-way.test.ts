import { describe, expect, it } from 'vitest';
import { printPlan, readPlan } from '../../../src/core/plan/document/plan-document.ts';
import { baselineOfFleet } from '../../../src/core/plan/drift/baseline.ts';
import { comparePlans } from '../../../src/core/plan/drift/three-way.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import type { IntendedChange } from '../../../src/core/plan/types/plan.ts';
import { type GivenEntry, givenDesired, noLimits } from '../../given/desired.ts';
import { at, type GivenHost, givenFleet } from '../../given/fleet.ts';

const groups = { 10: 'Berlin', 11: 'Munich' };
const live: readonly GivenHost[] = [
  { id: 1, name: 'A' },
  { id: 2, name: 'B', group: 10 },
  { id: 3, name: 'C' },
];

const planOf = (entries: readonly GivenEntry[]) =>
  makePlan({
    desired: givenDesired(entries, noLimits),
    observed: givenFleet(live, groups),
    account: { companyId: '1', service: 'emulator' },
    now: at,
  });

const compare = (head: readonly GivenEntry[], base: readonly GivenEntry[], left?: readonly GivenHost[]) =>
  comparePlans(
    planOf(head),
    { plan: planOf(base), source: 'main' },
    left && baselineOfFleet({ observed: givenFleet(left, groups) }, 'the last run'),
  );

const say = (changes: readonly IntendedChange[]) =>
  changes.map(({ kind, hostId, to }) => `${kind} ${hostId}${to === null ? '' : ` ${to}`}`);

describe('a plan compared with that of its base', () => {
  it('separates the changes that it adds from pending ones and from those that it reverts', () => {
    const { introduced, pending, drift, reverted } = compare(
      [
        { id: 1, name: 'A1' },
        { id: 2, group: 'Munich' },
      ],
      [
        { id: 1, name: 'A1' },
        { id: 3, ensure: 'absent' },
      ],
    );
    expect([introduced, pending, drift, reverted].map(say)).toEqual([
      ['move 2 Munich'],
      ['rename 1 A1'],
      [],
      ['delete 3'],
    ]);
  });

  it('counts a different target for the same host as its own change', () => {
    const { introduced, reverted } = compare([{ id: 1, name: 'new' }], [{ id: 1, name: 'old' }]);
    expect([introduced, reverted].map(say)).toEqual([['rename 1 new'], ['rename 1 old']]);
  });

  it('calls a change drift if the last run had left the host in the intended state', () => {
    const entries: readonly GivenEntry[] = [
      { id: 1, name: 'A1', group: 'Berlin' },
      { id: 2, group: 'Munich' },
    ];
    const { drift, pending } = compare(entries, entries, [
      { id: 1, name: 'A1' },
      { id: 2, name: 'B', group: 11 },
    ]);
    expect([drift, pending].map(say)).toEqual([['rename 1 A1', 'move 2 Munich'], ['move 1 Berlin']]);
  });

  it('is saved in the plan file, and is not part of what is approved', () => {
    const plan = planOf([{ id: 1, name: 'A1' }]);
    const compared = { ...plan, comparison: compare([{ id: 1, name: 'A1' }], []) };
    const read = readPlan(printPlan(compared), 'plan.json');
    expect(read).toMatchObject({ ok: true, value: { comparison: { introduced: [{ to: 'A1' }] } } });
    expect(JSON.parse(printPlan(compared)).checksum).toBe(JSON.parse(printPlan(plan)).checksum);
  });
});
