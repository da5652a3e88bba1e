import { describe, expect, it } from 'vitest';
import { ticketFault, ticketOfRun, ticketRefusal } from '../../../src/core/model/ticket-rule.ts';

const place = { file: 'rampart.config.yaml', line: 3, col: 5 };
const rule = { source: 'snow', path: 'changes/{ticket}', place };

describe('the ticket of a run', () => {
  it.each([
    ['that of its plan', 'CHG1', undefined, { ticket: 'CHG1' }],
    ['the one that the run names', undefined, 'CHG2', { ticket: 'CHG2' }],
    ['the same for both', 'CHG1', 'CHG1', { ticket: 'CHG1' }],
    ['none if nobody names one', undefined, undefined, {}],
  ])('is %s', (_, planned, given, expected) => {
    const run = ticketOfRun(planned, given);
    expect(run.ok && run.value).toStrictEqual(expected);
  });

  it('is never different from the ticket of its plan', () => {
    const refused = ticketOfRun('CHG1', 'CHG2');
    expect(refused).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'not-approved',
          message: 'the plan is for the change ticket "CHG1", not for "CHG2"',
          hint: expect.stringContaining('plan again for the other one') as string,
        },
      ],
    });
  });
});

describe('the number of a ticket', () => {
  it.each(['A', 'CHG0001', '1', 'a.b_c-d', 'C'.repeat(64)])('may be %s', (ticket) => {
    expect(ticketFault(rule, ticket)).toBeUndefined();
  });

  it.each(['', '-A', '.A', 'a b', 'a/b', 'ä', 'C'.repeat(65), 'CHG1\n'])('is not %j', (ticket) => {
    expect(ticketFault(rule, ticket)?.message).toMatch(/^this is not the number of a change ticket: nothing/);
  });

  it('is refused with the place of the rule, and a hint if there is one', () => {
    expect(ticketFault(rule, undefined)).toMatchObject({ code: 'not-approved', place });
    expect(ticketRefusal(rule, 'no')).not.toHaveProperty('hint');
    expect(ticketRefusal(rule, 'no', 'ask')).toMatchObject({
      hint: 'ask',
      message: 'no: nothing is changed',
    });
  });
});
