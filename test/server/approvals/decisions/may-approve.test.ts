import { describe, expect, it } from 'vitest';
import type { ApprovablePlan, Approver } from '../../../../src/server/approvals/decisions/approval.ts';
import { authorship } from '../../../../src/server/approvals/decisions/is-author.ts';
import { mayApprove, mayReject } from '../../../../src/server/approvals/decisions/may-approve.ts';
import type { StoredRequirements } from '../../../../src/server/plans/decisions/stored-plan.ts';
import { approvalOf, now, person, waitingPlan } from '../given.ts';

interface Row {
  readonly what: string;
  readonly plan?: Partial<ApprovablePlan>;
  readonly required?: Partial<StoredRequirements>;
  readonly who?: Approver;
  readonly at?: number;
  /** Null: allowed. */
  readonly reason: string | null;
}

const program = (kind: 'token' | 'pipeline' | 'server' | 'operator', email: string | null = null) =>
  person('ci', { subject: { kind, id: 'ci', name: 'ci' }, email });
const byJane = { author: 'Jane Doe <jane@example.com>' };

const rows: readonly Row[] = [
  { what: 'a waiting plan', reason: null },
  { what: 'a plan one millisecond before its end', at: Date.parse('2026-11-24T09:59:59.999Z'), reason: null },
  {
    what: 'a plan at its end',
    at: Date.parse('2026-11-24T10:00:00.000Z'),
    reason: 'the plan expired at 2026-11-24T10:00:00.000Z; wait for the next check',
  },
  { what: 'an approved plan', plan: { state: 'approved' }, reason: 'the plan is already approved' },
  { what: 'a running plan', plan: { state: 'running' }, reason: 'a run is already applying the plan' },
  { what: 'an applied plan', plan: { state: 'done' }, reason: 'the plan was already applied' },
  {
    what: 'a rejected plan',
    plan: { state: 'rejected', reason: 'not on a Friday' },
    reason: 'the plan was rejected: not on a Friday; wait for the next check',
  },
  {
    what: 'a stale plan with a successor, for the changes that both have',
    plan: { state: 'stale', reason: 'a newer plan replaced it', replacedBy: 'p2' },
    reason: null,
  },
  {
    what: 'a stale plan with a successor at its end',
    plan: { state: 'stale', reason: 'a newer plan replaced it', replacedBy: 'p2' },
    at: Date.parse('2026-11-24T10:00:00.000Z'),
    reason: 'the plan expired at 2026-11-24T10:00:00.000Z; review the newer plan p2',
  },
  {
    what: 'a stale plan with a successor that changes nothing',
    plan: { state: 'stale', reason: 'a newer plan replaced it', replacedBy: 'p2', changes: 0 },
    reason: 'the plan changes nothing, so it needs no approval',
  },
  {
    what: 'a stale plan without a successor',
    plan: { state: 'stale', reason: 'the fleet changed' },
    reason: 'the plan is stale: the fleet changed; wait for the next check',
  },
  {
    what: 'a rejected plan with a successor',
    plan: { state: 'rejected', replacedBy: 'p2' },
    reason: 'the plan was rejected; review the newer plan p2',
  },
  {
    what: 'a rejected plan without a reason',
    plan: { state: 'rejected' },
    reason: 'the plan was rejected; wait for the next check',
  },
  {
    what: 'an expired plan',
    plan: { state: 'expired' },
    reason: 'the plan expired at 2026-11-24T10:00:00.000Z; wait for the next check',
  },
  {
    what: 'a plan with an error',
    required: { blocked: 'host 3 has no name' },
    reason:
      'the plan has an error that no approval overrides: host 3 has no name; fix the error, then review the next plan',
  },
  {
    what: 'someone without the role',
    who: person('zoe', { isApprover: false }),
    reason: 'you need the role approver for this account; ask an administrator of this server for the role',
  },
  {
    what: 'someone who approved already',
    plan: { approvals: [approvalOf('zoe')] },
    required: { approvals: 2 },
    reason: 'you have approved this plan; each person approves a plan once',
  },
  {
    what: 'a person with the id of a token that approved it',
    plan: { approvals: [approvalOf('zoe', { by: { kind: 'token', id: 'zoe', name: 'zoe' } })] },
    required: { approvals: 2 },
    reason: null,
  },
  {
    what: 'the second of two people',
    plan: { approvals: [approvalOf('max')] },
    required: { approvals: 2 },
    reason: null,
  },
  { what: 'the author where the policy allows it', plan: byJane, who: person('jane'), reason: null },
  {
    what: 'the author where the policy forbids it',
    plan: byJane,
    required: { notAuthor: true },
    who: person('jane'),
    reason: 'you wrote this change or a part of it, and its author may not approve it; ask another approver',
  },
  {
    what: 'the author of an earlier plan whose changes this one still contains',
    plan: byJane,
    required: { notAuthor: true, earlierAuthors: ['Zoe <zoe@example.com>'] },
    reason: 'you wrote this change or a part of it, and its author may not approve it; ask another approver',
  },
  {
    what: 'someone else where the author is forbidden',
    plan: byJane,
    required: { notAuthor: true },
    reason: null,
  },
  {
    what: 'someone without an address where the author is forbidden',
    plan: byJane,
    required: { notAuthor: true },
    who: person('zoe', { email: null }),
    reason:
      'Rampart can\'t check that you are not the author, because your sign-in has no email address; let the identity provider send the claim "email"',
  },
  { what: 'a plan of a folder, which has no author', required: { notAuthor: true }, reason: null },
  { what: 'a token where one approval is enough', who: program('token'), reason: null },
  {
    what: 'a token where two people must approve',
    required: { approvals: 2 },
    who: program('token'),
    reason:
      "a token can't approve this plan, because its policy requires approvals of people; sign in to the console and approve it there",
  },
  {
    what: 'a pipeline where the author is forbidden',
    required: { notAuthor: true },
    who: program('pipeline', 'ci@example.com'),
    reason:
      "a pipeline can't approve this plan, because its policy requires approvals of people; sign in to the console and approve it there",
  },
  {
    what: 'the server itself where the author is forbidden',
    required: { notAuthor: true },
    who: program('server'),
    reason:
      "a server can't approve this plan, because its policy requires approvals of people; sign in to the console and approve it there",
  },
  {
    what: 'the operator of a server without login',
    required: { approvals: 2 },
    who: program('operator'),
    reason: null,
  },
];

describe('whether someone may approve a plan', () => {
  for (const { what, plan, required, who = person('zoe'), at = now, reason } of rows) {
    it(`${reason === null ? 'allows' : 'refuses'} ${what}`, () => {
      const may = mayApprove(waitingPlan(plan, required), who, at);
      expect(may.allowed ? null : may.reason).toBe(reason);
    });
  }
  it('gives each refusal the code that decides its exit code and status', () => {
    const codes = rows.flatMap(({ plan, required, who = person('zoe'), at = now }) => {
      const may = mayApprove(waitingPlan(plan, required), who, at);
      return may.allowed ? [] : [may.problem.code];
    });
    expect(new Set(codes)).toEqual(new Set(['stale-plan', 'not-approved', 'forbidden']));
  });
});

describe('whether someone may reject a plan', () => {
  it('lets the author reject it, even if it has an error', () => {
    const plan = waitingPlan(byJane, {
      notAuthor: true,
      blocked: 'an error',
    });
    expect(mayReject(plan, person('jane'), now)).toEqual({ allowed: true });
  });
  it('refuses someone without the role, and a plan that does not wait', () => {
    expect(mayReject(waitingPlan(), person('zoe', { isApprover: false }), now)).toMatchObject({
      allowed: false,
      problem: { code: 'forbidden' },
    });
    expect(mayReject(waitingPlan({ state: 'running' }), person('zoe'), now)).toMatchObject({
      allowed: false,
      reason: 'a run is already applying the plan',
    });
    const replaced = waitingPlan({ state: 'stale', replacedBy: 'p2' });
    expect(mayReject(replaced, person('zoe'), now)).toMatchObject({
      allowed: false,
      reason: 'the plan is stale; review the newer plan p2',
    });
  });
});

describe('whether someone wrote a commit', () => {
  const zoe = person('zoe', { subject: { kind: 'person', id: '0c1d', name: 'Zoe Lind' } });
  for (const [author, expected] of [
    ['Zoe Lind <ZOE@example.com>', 'author'],
    ['Someone <zoe@example.com>', 'author'],
    ['zoe@example.com', 'author'],
    ['Zoe Lind <other@example.com>', 'other'],
    ['zoe lind', 'author'],
    ['Max', 'other'],
    [' 0C1D ', 'author'],
    ['a <b> <zoe@example.com> ', 'author'],
    ['<zoe@example.com>', 'author'],
    ['<max@example.com>', 'other'],
  ] as const) {
    it(`returns "${expected}" for ${JSON.stringify(author)}`, () => {
      expect(authorship(author, zoe)).toBe(expected);
    });
  }
  it('is unknown for an address if the sign-in has none', () => {
    expect(authorship('Max <max@example.com>', { ...zoe, email: null })).toBe('unknown');
    expect(authorship('max@example.com', { ...zoe, email: null })).toBe('unknown');
    expect(authorship('zoe lind', { ...zoe, email: null })).toBe('author');
    expect(authorship('max', { ...zoe, email: null })).toBe('other');
  });
  it('treats an id that is an address as the address of the sign-in', () => {
    const subject = { kind: 'person' as const, id: 'zoe@example.com', name: 'Zoe' };
    expect(authorship('Z <zoe@example.com>', { ...zoe, subject, email: null })).toBe('author');
    expect(authorship('M <max@example.com>', { ...zoe, subject, email: null })).toBe('other');
  });
});
