import { describe, expect, it } from 'vitest';
import type { AccountMode } from '../../../../src/accounts/config/account-config.ts';
import { isApproved } from '../../../../src/server/approvals/decisions/judge.ts';
import type { StoredPlan } from '../../../../src/server/plans/decisions/stored-plan.ts';
import { approvalOf, requirements } from '../given.ts';

const approval = approvalOf('zoe');
const limit = { limit: 'rename', value: 3, allowed: 2 };

/** A plan of three changes. */
const planOf = ({ numbers = [], ...parts }: Partial<StoredPlan> & { numbers?: object[] }) =>
  ({
    source: 'files',
    changes: 3,
    approvals: [],
    required: { ...requirements, numbers },
    ...parts,
  }) as unknown as StoredPlan;

describe('whether a plan can be applied', () => {
  it.each<[what: string, mode: AccountMode, plan: Parameters<typeof planOf>[0], can: boolean]>([
    ['within the limits, in mode correct', 'correct', {}, true],
    ['above a limit, in mode correct', 'correct', { numbers: [limit] }, false],
    ['within the limits, in mode propose', 'propose', {}, false],
    ['that changes nothing, in mode propose', 'propose', { changes: 0 }, true],
    ['that changes nothing, above a limit', 'propose', { changes: 0, numbers: [limit] }, true],
    ['that reverses a run, in mode correct', 'correct', { source: 'undo of run 1' }, false],
    ['that reverses a run and has nothing left', 'correct', { source: 'undo of run 1', changes: 0 }, false],
    ['that someone approved, in mode propose', 'propose', { approvals: [approval] }, true],
    [
      'that someone approved with other numbers, in mode correct',
      'correct',
      { approvals: [{ ...approval, numbers: { rename: 3 } }] },
      false,
    ],
    [
      'that someone rejected, though it changes nothing',
      'correct',
      { changes: 0, approvals: [{ ...approval, decision: 'rejected' }] },
      false,
    ],
  ])('depends on its approvals, unless it needs none: %s', (_, mode, plan, can) => {
    expect(isApproved(planOf(plan), mode)).toBe(can);
  });
});
