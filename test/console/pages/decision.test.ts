import { describe, expect, it } from 'vitest';
import { planStates } from '../../../src/api/states.ts';
import {
  approvalOf,
  closedReason,
  numbersAsTyped,
  rejectionOf,
} from '../../../src/console/pages/change/decision.ts';
import { before, givenPlanRow, readAt } from '../../given/console/plans.ts';

const now = Date.parse(readAt);

describe('the decision on a plan', () => {
  it('allows approving once every number is typed exactly, with blanks around it at most', () => {
    const plan = givenPlanRow();
    expect(approvalOf(plan, {}, now)).toEqual({
      isAllowed: false,
      reasons: ['Type the number of deletions.'],
    });
    for (const typed of ['4', '3.0', '03', '+3', '3e0', 'three', '3 3'])
      expect(approvalOf(plan, { delete: typed }, now).isAllowed, typed).toBe(false);
    for (const typed of ['3', ' 3 ']) expect(approvalOf(plan, { delete: typed }, now).isAllowed).toBe(true);
  });

  it('names each number that is missing or wrong', () => {
    const numbers = [
      { limit: 'delete', value: 3, allowed: 2 },
      { limit: 'antivirus', value: 40, allowed: 10 },
      { limit: 'of a later server', value: 1, allowed: 0 },
    ];
    const plan = givenPlanRow({ required: { approvals: 1, not_author: false, numbers, approvers: [] } });
    expect(approvalOf(plan, { antivirus: '41' }, now).reasons).toEqual([
      'Type the number of deletions.',
      'The number of anti-virus installs is not 41.',
      'Type the number of of a later server.',
    ]);
    expect(numbersAsTyped(plan, { delete: '3', antivirus: '41' })).toEqual({ delete: 3 });
  });

  it('says only why the reader may not approve, not which numbers are missing', () => {
    const plan = givenPlanRow({ may_approve: { allowed: false, reason: 'You wrote this change' } });
    expect(approvalOf(plan, {}, now)).toEqual({ isAllowed: false, reasons: ['You wrote this change.'] });
    const silent = givenPlanRow({ may_approve: { allowed: false } });
    expect(approvalOf(silent, {}, now).reasons[0]).toMatch(/roles do not allow/);
  });

  it('is over in every state but waiting, and once the plan expires', () => {
    for (const state of planStates) {
      const plan = givenPlanRow({ state, reason: 'because' });
      expect(closedReason(plan, now) === null, state).toBe(state === 'waiting');
      expect(approvalOf(plan, { delete: '3' }, now).isAllowed).toBe(state === 'waiting');
      expect(rejectionOf(plan, true, now).isAllowed).toBe(state === 'waiting');
    }
    const late = givenPlanRow({ expires_at: before(1) });
    expect(approvalOf(late, { delete: '3' }, now).reasons).toEqual(['This plan has expired.']);
  });

  it('ends a reason with one period', () => {
    expect(closedReason(givenPlanRow({ state: 'stale', reason: 'it changed.' }), now)).toBe(
      'This plan is stale: it changed.',
    );
    expect(closedReason(givenPlanRow({ state: 'stale', reason: null }), now)).toBe('This plan is stale.');
  });

  it('lets a person approve a plan that a check has replaced until it expires, and not reject it', () => {
    const required = { approvals: 1, not_author: false, numbers: [], approvers: [] };
    const replaced = givenPlanRow({ required, state: 'stale', replaced_by: 'p2' });
    expect(approvalOf(replaced, {}, now).isAllowed).toBe(true);
    expect(rejectionOf(replaced, true, now).isAllowed).toBe(false);
    expect(approvalOf({ ...replaced, replaced_by: null }, {}, now).isAllowed).toBe(false);
    expect(approvalOf(replaced, {}, Date.parse(replaced.expires_at)).isAllowed).toBe(false);
    const other = { allowed: false, reason: 'You wrote it' };
    expect(approvalOf({ ...replaced, may_approve: other }, {}, now).isAllowed).toBe(false);
  });

  it('lets a person reject without numbers, and only with a role for it', () => {
    expect(rejectionOf(givenPlanRow(), true, now).isAllowed).toBe(true);
    expect(rejectionOf(givenPlanRow(), false, now).isAllowed).toBe(false);
  });
});
