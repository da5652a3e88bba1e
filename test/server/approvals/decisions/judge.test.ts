import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commandOwner, readCommand } from '../../../../src/accounts/approvals/read-command.ts';
import type { ApprovablePlan } from '../../../../src/server/approvals/decisions/approval.ts';
import { judge, tally } from '../../../../src/server/approvals/decisions/judge.ts';
import type { StoredApproval } from '../../../../src/server/plans/decisions/stored-plan.ts';
import { approvalOf, checksum, now, person, requirements, waitingPlan } from '../given.ts';

const deletions = [{ limit: 'delete' as const, value: 12, allowed: 4 }];
const approve = { decision: 'approved' as const, checksum, numbers: {}, via: 'console' as const };

function problemOf(plan: ApprovablePlan, parts: Partial<Parameters<typeof judge>[2]>) {
  const judged = judge(plan, person('zoe'), { ...approve, ...parts }, now);
  return judged.ok ? null : judged.problems.map(({ code, message, hint = '' }) => [code, message, hint]);
}

describe('a comment that begins with /rampart', () => {
  it.each([
    ['/rampart', 'server'],
    ['/rampart approve 123', 'server'],
    ['/rampart reject 123 no', 'server'],
    ['  /rampart  aprove 123', 'server'],
    ['/rampart rejct', 'server'],
    ['/rampart plan', 'action'],
    ['/rampart apply', 'action'],
    ['/rampart aply', 'action'],
    ['/rampart apprly', 'action'],
    ['/rampart explain HOST-1', 'action'],
    ['/rampart make coffee', 'action'],
    ['/rampartapprove 123', undefined],
    ['please /rampart approve', undefined],
    ['', undefined],
  ])('gets one reply: "%s" by %s', (comment, owner) => {
    expect(commandOwner(comment)).toBe(owner);
  });
});

describe('the sum of approvals', () => {
  const sumOf = (needed: number, approvals: readonly StoredApproval[], numbers: typeof deletions = []) =>
    tally({ required: { ...requirements, approvals: needed, numbers }, approvals });
  it('waits until enough people have approved', () => {
    expect(sumOf(1, [])).toBe('waiting');
    expect(sumOf(1, [approvalOf('zoe')])).toBe('approved');
    expect(sumOf(2, [approvalOf('zoe')])).toBe('waiting');
    expect(sumOf(2, [approvalOf('zoe'), approvalOf('max')])).toBe('approved');
  });
  it('counts a person once, and a person and a token with the same id as two', () => {
    expect(sumOf(2, [approvalOf('zoe'), approvalOf('zoe')])).toBe('waiting');
    const token = approvalOf('zoe', { by: { kind: 'token', id: 'zoe', name: 'ci' } });
    expect(sumOf(2, [approvalOf('zoe'), token])).toBe('approved');
  });
  it('counts no approval with other numbers', () => {
    expect(sumOf(1, [approvalOf('zoe')], deletions)).toBe('waiting');
    expect(sumOf(1, [approvalOf('zoe', { numbers: { delete: 11 } })], deletions)).toBe('waiting');
    expect(sumOf(1, [approvalOf('zoe', { numbers: { delete: 12 } })], deletions)).toBe('approved');
  });
  it('is rejected after one rejection, whoever approves', () => {
    const rejection = approvalOf('max', { decision: 'rejected' });
    expect(sumOf(1, [approvalOf('zoe'), rejection])).toBe('rejected');
  });
  it('never approves with fewer different people than required', () => {
    const approvals = fc.array(
      fc.record({
        who: fc.constantFrom('a', 'b', 'c', 'd'),
        number: fc.constantFrom(undefined, 11, 12),
        isRejection: fc.integer({ min: 0, max: 9 }).map((at) => at === 0),
      }),
    );
    fc.assert(
      fc.property(approvals, fc.integer({ min: 1, max: 4 }), (given, needed) => {
        const list = given.map(
          ({ who, number, isRejection }): StoredApproval =>
            approvalOf(who, {
              ...(isRejection ? { decision: 'rejected' } : {}),
              numbers: number === undefined ? {} : { delete: number },
            }),
        );
        const people = new Set(
          given.filter(({ number, isRejection }) => number === 12 && !isRejection).map(({ who }) => who),
        );
        const expected = given.some(({ isRejection }) => isRejection)
          ? 'rejected'
          : people.size >= needed
            ? 'approved'
            : 'waiting';
        expect(sumOf(needed, list, deletions)).toBe(expected);
      }),
    );
  });
});

describe('the judgment of one approval', () => {
  it('records who, when, what and through which product', () => {
    const judged = judge(
      waitingPlan({}, { numbers: deletions }),
      person('zoe'),
      { ...approve, numbers: { deletions: 12 }, comment: 'fine', ticket: 'CHG1', via: 'pull-request' },
      now,
    );
    expect(judged).toMatchObject({
      ok: true,
      value: {
        decision: 'approved',
        approval: {
          by: { kind: 'person', id: 'zoe', name: 'zoe' },
          at: new Date(now),
          decision: 'approved',
          numbers: { delete: 12 },
          comment: 'fine',
          ticket: 'CHG1',
          via: 'pull-request',
        },
      },
    });
  });
  it('counts earlier approvals of others', () => {
    const plan = waitingPlan({ approvals: [approvalOf('max')] }, { approvals: 2 });
    expect(judge(plan, person('zoe'), approve, now)).toMatchObject({ value: { decision: 'approved' } });
    expect(judge({ ...plan, approvals: [] }, person('zoe'), approve, now)).toMatchObject({
      value: { decision: 'waiting' },
    });
  });
  it('refuses the checksum of another plan, and an incomplete checksum', () => {
    const refused = [
      [
        'stale-plan',
        'the checksum is not that of this plan, so you reviewed another plan',
        'review this plan, then approve its checksum',
      ],
    ];
    expect(problemOf(waitingPlan(), { checksum: 'b2'.repeat(32) })).toEqual(refused);
    expect(problemOf(waitingPlan(), { checksum: checksum.slice(0, 16) })).toEqual(refused);
    expect(problemOf(waitingPlan(), { checksum: 'b2'.repeat(32), decision: 'rejected' })).toEqual(refused);
  });
  it('refuses a missing, a wrong, an unknown and an unnecessary number', () => {
    const plan = waitingPlan({}, { numbers: deletions });
    const planned = 'the plan has 12 deletions, but the limit is 4';
    const hint = 'review each of them, then approve exactly delete=12';
    expect(problemOf(plan, {})).toEqual([['limit-exceeded', planned, hint]]);
    expect(problemOf(plan, { numbers: { delete: 13 } })).toEqual([
      ['ack-mismatch', `${planned}; delete=13 does not match`, hint],
    ]);
    expect(problemOf(plan, { numbers: { hosts: 12 } })).toEqual([
      [
        'ack-mismatch',
        '"hosts" is not a number that a plan can require',
        'use delete, rename, move or antivirus',
      ],
    ]);
    expect(problemOf(plan, { numbers: { delete: 12, move: 1 } })).toEqual([
      ['ack-mismatch', 'the plan does not exceed the limit of "move"', 'approve again without move'],
    ]);
    expect(problemOf(plan, { numbers: { delete: 12, deletions: 11 } })).toEqual([
      ['ack-mismatch', 'the number of deletions is given twice, with different values', ''],
    ]);
    expect(problemOf(plan, { numbers: { delete: 12, deletions: 12 } })).toBeNull();
  });
  for (const [name, kind] of [
    ['delete', 'delete'],
    ['deletions', 'delete'],
    ['rename', 'rename'],
    ['renames', 'rename'],
    ['move', 'move'],
    ['moves', 'move'],
    ['antivirus', 'antivirus'],
    ['installs', 'antivirus'],
  ] as const) {
    it(`accepts "${name}" as the number of the limit "${kind}"`, () => {
      const plan = waitingPlan({}, { numbers: [{ limit: kind, value: 12, allowed: 4 }] });
      const judged = judge(plan, person('zoe'), { ...approve, numbers: { [name]: 12 } }, now);
      expect(judged).toMatchObject({ ok: true, value: { approval: { numbers: { [kind]: 12 } } } });
    });
  }
  it('requires every number if there are several, and no other', () => {
    const plan = waitingPlan({}, { numbers: [...deletions, { limit: 'move', value: 3, allowed: 1 }] });
    expect(problemOf(plan, { numbers: { delete: 12 } })).toHaveLength(1);
    expect(problemOf(plan, { numbers: { move: 3 } })).toHaveLength(1);
    expect(problemOf(plan, { numbers: { delete: 12, move: 3 } })).toBeNull();
    expect(problemOf(plan, { numbers: { delete: 12, move: 3, rename: 1 } })).toHaveLength(1);
  });
  it('refuses numbers with the names of built-in properties', () => {
    const numbers = JSON.parse('{"__proto__":12,"constructor":12}') as Record<string, number>;
    expect(problemOf(waitingPlan({}, { numbers: deletions }), { numbers })).toHaveLength(1);
    expect(problemOf(waitingPlan(), { numbers })).toHaveLength(1);
  });
  it('rejects without numbers, and at once', () => {
    const plan = waitingPlan({ approvals: [approvalOf('max')] }, { approvals: 3, numbers: deletions });
    const request = { ...approve, decision: 'rejected' as const, comment: 'no', numbers: { hosts: 1 } };
    expect(judge(plan, person('zoe'), request, now)).toMatchObject({
      value: { decision: 'rejected', approval: { numbers: {}, comment: 'no' } },
    });
  });
  it('lets the author reject a plan that they may not approve', () => {
    const plan = waitingPlan({ author: 'zoe@example.com' }, { notAuthor: true, blocked: 'an error' });
    const request = { ...approve, decision: 'rejected' as const };
    expect(judge(plan, person('zoe'), request, now)).toMatchObject({ value: { decision: 'rejected' } });
  });
  it('checks permission before checksum and numbers', () => {
    expect(problemOf(waitingPlan({ state: 'done' }), { checksum: 'x' })).toEqual([
      ['not-approved', 'the plan was already applied', ''],
    ]);
    const outsider = person('zoe', { isApprover: false });
    const rejection = { ...approve, decision: 'rejected' as const };
    expect(judge(waitingPlan(), outsider, rejection, now).ok).toBe(false);
  });
  it('approves only what mayApprove allows', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('waiting', 'approved', 'running', 'done', 'rejected', 'stale', 'expired'),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (state, isApprover, isOwn, isSame) => {
          const plan = waitingPlan({ state, approvals: isOwn ? [approvalOf('zoe')] : [] });
          const request = { ...approve, checksum: isSame ? checksum : 'd4'.repeat(32) };
          const judged = judge(plan, person('zoe', { isApprover }), request, now);
          expect(judged.ok).toBe(state === 'waiting' && isApprover && !isOwn && isSame);
        },
      ),
    );
  });
});

describe('an approval as a comment on a pull request', () => {
  const read = (text: string) => {
    const command = readCommand(text);
    if (command === undefined) return undefined;
    return command.ok ? command.value : command.problems.map(({ message }) => message);
  };
  it('reads an approval with its numbers', () => {
    expect(read(` /rampart approve ${checksum} deletions=12\tmove=3 \n`)).toEqual({
      decision: 'approved',
      checksum,
      numbers: { delete: 12, move: 3 },
    });
  });
  it('reads an approval with its change ticket', () => {
    expect(read(`/rampart approve ${checksum} ticket=CHG0001 delete=12`)).toEqual({
      decision: 'approved',
      checksum,
      numbers: { delete: 12 },
      ticket: 'CHG0001',
    });
    for (const odd of [
      'ticket=A ticket=B',
      'ticket=A ticket=A',
      'ticket=',
      'ticket=../x',
      `ticket=${'9'.repeat(65)}`,
    ])
      expect(read(`/rampart approve ${checksum} ${odd}`)).toEqual([
        'a change ticket must be written as ticket=CHG0001, once',
      ]);
  });
  it('reads a rejection with its reason', () => {
    expect(read(`/rampart reject ${checksum} not on a Friday`)).toEqual({
      decision: 'rejected',
      checksum,
      numbers: {},
      comment: 'not on a Friday',
    });
  });
  for (const text of ['', 'looks good', `> /rampart approve ${checksum}`, '/rampartapprove', '/ rampart']) {
    it(`ignores ${JSON.stringify(text)}`, () => {
      expect(read(text)).toBeUndefined();
    });
  }
  const wrongChecksum = 'the command must contain the full checksum of the plan';
  const wrongNumbers = 'the numbers must be written as delete=12, each once';
  for (const [text, why] of [
    ['/rampart', 'the command must be approve or reject'],
    [`/rampart apply ${checksum}`, 'the command must be approve or reject'],
    ['/rampart approve', wrongChecksum],
    ['/rampart approve a1a1a1a1', wrongChecksum],
    [`/rampart approve ${checksum}0`, wrongChecksum],
    [`/rampart approve ${checksum.toUpperCase()}`, wrongChecksum],
    [`/rampart reject ${checksum}`, 'a rejection needs a reason'],
    [`/rampart approve ${checksum} delete=12 delete=13`, wrongNumbers],
    [`/rampart approve ${checksum} delete=-1`, wrongNumbers],
    [`/rampart approve ${checksum} x delete=12`, wrongNumbers],
    [`/rampart approve ${checksum} delete=1234567890`, wrongNumbers],
    [`/rampart approve ${checksum} hosts=1`, '"hosts" is not a number that a plan can require'],
    [`/rampart approve ${checksum}\n/rampart reject`, 'a command must be the only line of its comment'],
    [`/rampart approve\r${checksum}`, 'a command must be the only line of its comment'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      expect(read(text)).toEqual([why]);
      const code = why.includes('a plan can require') ? 'ack-mismatch' : 'usage';
      expect(readCommand(text)).toMatchObject({ problems: [{ code }] });
    });
  }
});
