import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordText } from '../../../../src/server/audit/rules/record-text.ts';

const origin = { actor: 'ada', host: 'ops' };

describe('the text of an audit record', () => {
  it.each([
    [
      'run-ended',
      { steps: 5, outcomes: { done: 2, already: 1, unknown: 2 }, exit_code: 5 },
      '3 of 5 steps done, 2 in doubt, exit code 5',
    ],
    ['run-ended', { steps: 1, outcomes: { done: 1 }, exit_code: 0 }, '1 of 1 step done'],
    [
      'run-ended',
      { steps: 2_233, outcomes: { done: 1_200, unknown: 1_033 } },
      '1,200 of 2,233 steps done, 1,033 in doubt',
    ],
    ['run-started', { steps: 12 }, '12 steps'],
    ['plan-approved', { given: 2, required: 2, plan: 'p' }, '2 of 2 approvals'],
    ['plan-approved', { given: 0, required: 0, plan: 'p' }, 'no approval needed'],
    ['check-requested', { accounts: 3, first: ['a', 'b', 'c'] }, '3 accounts'],
    [
      'approval',
      { approvals: { delete: 1, rename: 1200, other: 2 } },
      'exactly 1,200 renames, exactly 1 deletion',
    ],
    ['approval', { approvals: { delete: 'all' } }, ''],
    ['login', {}, ''],
  ] as const)('of %s with %j is %s', (kind, what, text) => {
    expect(recordText({ kind, what, origin })).toBe(text);
    const separator = text === '' ? '' : ', ';
    expect(recordText({ kind, what, origin: { ...origin, reason: 'The shop moves' } })).toBe(
      `${text}${separator}"The shop moves"`,
    );
  });

  it('exists for any record of another version', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.dictionary(fc.constantFrom('steps', 'outcomes', 'given', 'accounts', 'approvals'), fc.jsonValue()),
        (kind, what) => {
          expect(typeof recordText({ kind, what, origin })).toBe('string');
        },
      ),
    );
  });
});
