import { expect, test } from 'vitest';
import { isSameChange } from '../../../src/control/jobs/is-same-change.ts';
import { planChecksum, printPlan } from '../../../src/core/plan/document/plan-document.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { givenPlan } from '../../given/plan.ts';

const plan = givenPlan({
  entries: [
    { id: 1, name: 'NEW-1' },
    { id: 2, name: 'NEW-2' },
  ],
  hosts: [
    { id: 1, name: 'OLD-1' },
    { id: 2, name: 'OLD-2' },
  ],
});
const moved: Plan = { ...plan, steps: plan.steps.toReversed() };
const other = givenPlan({ entries: [{ id: 1, name: 'NEW-1' }], hosts: [{ id: 1, name: 'OLD-1' }] });

test.each<readonly [string, Plan, string | undefined, boolean]>([
  ['the same plan', plan, undefined, true],
  ['the same changes in another order', moved, printPlan(moved), true],
  ['other changes', other, printPlan(other), false],
  [
    'the same changes of another tenant',
    { ...moved, account: { ...plan.account, companyId: '77' } },
    printPlan({ ...moved, account: { ...plan.account, companyId: '77' } }),
    false,
  ],
  ['a plan that is no longer stored', moved, undefined, false],
  ['a plan that can not be read', moved, '{}', false],
])(
  'a rejection holds only for the same changes of the same tenant: %s',
  async (_, stored, text, expected) => {
    const store = { plans: { document: async () => text } };
    expect(await isSameChange({ id: 'p1', checksum: planChecksum(stored) }, plan, { store })).toBe(expected);
  },
);
