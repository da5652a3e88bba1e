import { describe, expect, it } from 'vitest';
import { type Budget, createAdmission } from '../../../src/run/apply/admission.ts';
import { deleteStep, moveStep, renameStep, temporaryRenameStep } from '../../given/steps.ts';

const temporary = temporaryRenameStep('s1', { id: 1, name: 'A' }, 'B');
const second = renameStep('s2', { id: 2, name: 'B' }, 'A', { after: ['s1'] });
const third = renameStep('s3', { id: 1, name: 'A' }, 'B', { from: temporary.to, after: ['s2'] });
const move = moveStep('s4', [3], 10);
const alone = renameStep('s5', { id: 5 }, 'NEW');
const removal = deleteStep('s6', [6]);
const steps = [temporary, second, third, move, alone, removal];

/** What keeps each step from starting, in order; an empty text for those that may start. */
function refusals(budget: Budget, now = 0, order = steps): readonly string[] {
  let time = now;
  const admission = createAdmission(steps, budget, { now: () => time++, sleep: async () => {} });
  return order.map((step) => admission.refusal(step)?.message ?? '');
}

const spent = (why: string) => `not started: ${why}`;
const overIt = spent('it would exceed --max-calls');

describe('a budget of calls', () => {
  it('counts every call once, and counts renames of one component together', () => {
    expect(refusals({ maxCalls: 6 })).toEqual(['', '', '', '', '', '']);
    expect(refusals({ maxCalls: 5 })).toEqual(['', '', '', '', '', overIt]);
    expect(refusals({ maxCalls: 3 })).toEqual(['', '', '', overIt, overIt, overIt]);
  });
  it("does not begin renames that it can't finish", () => {
    const together = spent('its 3 renames, which belong together, would exceed --max-calls');
    expect(refusals({ maxCalls: 2 })).toEqual([together, together, together, '', '', overIt]);
  });
});

describe('a deadline', () => {
  const passed = spent('the deadline has passed');
  it('stops steps that begin at or after it, and finishes renames that have begun', () => {
    expect(refusals({ deadline: 1 })).toEqual(['', '', '', passed, passed, passed]);
  });
  it('gives renames that have begun another 30 seconds', () => {
    let time = 0;
    const admission = createAdmission(steps, { deadline: 1 }, { now: () => time, sleep: async () => {} });
    const late = spent('the deadline and the time to finish running steps have passed');
    expect(admission.refusal(temporary)).toBeUndefined();
    time = 30_000;
    expect(admission.refusal(second)).toBeUndefined();
    time = 30_001;
    expect(admission.refusal(third)?.message).toBe(late);
  });
  it('in the past starts nothing', () => {
    expect(refusals({ deadline: 5 }, 5)).toEqual(Array.from({ length: 6 }, () => passed));
  });
});
