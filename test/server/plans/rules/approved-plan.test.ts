import { describe, expect, it } from 'vitest';
import { parseChangeWindow } from '../../../../src/core/model/parse-change-window.ts';
import type { WindowPolicy } from '../../../../src/core/model/policy.ts';
import { planChecksum, printPlan } from '../../../../src/core/plan/document/plan-document.ts';
import type { Plan } from '../../../../src/core/plan/types/plan.ts';
import { problem, warning } from '../../../../src/core/problem/problem.ts';
import { approvalPolicyOf } from '../../../../src/server/approvals/rules/approval-policy.ts';
import type { StoredApproval } from '../../../../src/server/plans/decisions/stored-plan.ts';
import type { PlanRecord } from '../../../../src/server/plans/records/plans.ts';
import { readApprovedPlan, refusalNow } from '../../../../src/server/plans/rules/approved-plan.ts';
import type { JobParts } from '../../../../src/server/queue/rules/job-parts.ts';
import { closedWindow, withoutTime } from '../../../../src/server/runs/rules/run-windows.ts';
import type { ApprovalRule } from '../../../../src/server/settings/server-settings.ts';
import { givenPlan } from '../../../given/plan.ts';
import { accountOf, alice, place, planOf } from '../../jobs/given.ts';

const plan = givenPlan({ entries: [{ id: 1, name: 'NEW' }], hosts: [{ id: 1, name: 'OLD' }] });
const now = '2026-11-23T08:00:00.000Z';
const account = accountOf('berlin');

function windowOf(hours: string, kinds?: WindowPolicy['kinds']): WindowPolicy {
  const parsed = parseChangeWindow(hours);
  if (!parsed.ok) throw new Error('no window');
  return { name: 'nightly', only: [parsed.window], place, ...(kinds === undefined ? {} : { kinds }) };
}
const closed = windowOf('Mon-Sun 20:00-06:00 UTC');
const always = windowOf('Mon-Sun 00:00-00:00 UTC');
const freeze = { name: 'year-end', place };
const times = (parts: object = {}) => ({ windows: [], freezes: [], ...parts });

describe('the approved plan of a run', () => {
  const read = (
    parts: Partial<PlanRecord>,
    { id = 'plan-berlin', text = printPlan(plan) }: { id?: string | null; text?: string } = {},
  ) => {
    const record = planOf('berlin', plan, parts);
    const store = {
      plans: {
        find: async (asked: string) => (asked === record.id ? record : undefined),
        document: async (asked: string) => (asked === record.id ? text : undefined),
      },
    } as unknown as JobParts['store'];
    return readApprovedPlan({ plan: id, account: 'berlin' }, { store });
  };
  const hint = 'check the account again, and approve its new plan';

  it.each(['approved', 'running'] as const)('is the stored one while its state is "%s"', async (state) => {
    const found = await read({ state });
    expect(found.ok && found.value.plan).toEqual(plan);
  });

  it.each([
    ['4.0', 'the plan has format 4.0; this version of Rampart reads format 5.0'],
    ['6.0', 'the plan has format 6.0; this version of Rampart reads format 5.0'],
    ['5.0', 'the plan file was modified after it was created'],
  ])('is refused if another version of Rampart stored it, in format %s', async (format, why) => {
    const text = printPlan(plan)
      .replace('"format_version": "5.0"', `"format_version": "${format}"`)
      .replace('"NEW"', '"OTHER"');
    expect(await read({}, { text })).toMatchObject({
      ok: false,
      problems: [{ code: 'stale-plan', message: `plan plan-berlin can't be read: ${why}`, hint }],
    });
  });

  it.each([
    ['waiting', 'the plan is waiting: why'],
    ['rejected', 'the plan is rejected: why'],
    ['stale', 'the plan is stale: why'],
    ['expired', 'the plan is expired: why'],
    ['done', 'the plan is done: why'],
  ] as const)('is refused while its state is "%s"', async (state, message) => {
    expect(await read({ state, reason: 'why' })).toMatchObject({
      ok: false,
      problems: [{ code: 'stale-plan', message, hint }],
    });
  });

  it('is refused without a reason if none is known', async () => {
    expect(await read({ state: 'stale' })).toMatchObject({ problems: [{ message: 'the plan is stale' }] });
  });

  it('is refused if its document was removed, and nothing is requested without a plan', async () => {
    const gone = { ok: false, problems: [{ message: 'the plan of this run no longer exists' }] };
    const asked: unknown[] = [];
    const plans = {
      find: async (id: unknown) => (asked.push(id), planOf('berlin', plan)),
      document: async () => undefined,
    };
    const store = { plans } as unknown as JobParts['store'];
    expect(await readApprovedPlan({ plan: 'plan-berlin', account: 'berlin' }, { store })).toMatchObject(gone);
    expect(await readApprovedPlan({ plan: null, account: 'berlin' }, { store })).toMatchObject(gone);
    expect(asked).toEqual(['plan-berlin']);
  });

  it("is refused if it was deleted, belongs to another account, can't be read, or is not the approved one", async () => {
    const gone = {
      problems: [{ code: 'stale-plan', message: 'the plan of this run no longer exists', hint }],
    };
    expect(await read({}, { id: null })).toMatchObject(gone);
    expect(await read({}, { id: 'other' })).toMatchObject(gone);
    expect(await read({ account: 'oslo' })).toMatchObject({
      problems: [{ code: 'other-account', message: 'the plan plan-berlin belongs to another account' }],
    });
    expect((await read({}, { text: '{' })).ok).toBe(false);
    const other = givenPlan({ entries: [{ id: 1, name: 'X' }], hosts: [{ id: 1, name: 'OLD' }] });
    expect(await read({}, { text: printPlan(other) })).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'not-approved',
          message: `this is not the approved plan: its checksum is ${planChecksum(other)}`,
          hint,
        },
      ],
    });
  });

  it('leaves out the hosts whose approved change the latest check no longer found', async () => {
    const found = await read({ later: { leftOut: ['7'], authors: [] } });
    expect(found.ok && found.value.leftOut).toMatchObject([
      { code: 'stale-plan', message: expect.stringContaining('"7"'), hostIds: ['7'] },
    ]);
    const whole = await read({ later: null });
    expect(whole.ok && whole.value.leftOut).toEqual([]);
  });

  it('has the numbers of those who approved it, and not of those who rejected it', async () => {
    const by = (decision: StoredApproval['decision'], numbers: Record<string, number>): StoredApproval => ({
      by: alice,
      at: new Date(now),
      decision,
      numbers,
      comment: null,
      via: 'console',
    });
    const found = await read({
      approvals: [by('approved', { rename: 3 }), by('rejected', { delete: 9 }), by('approved', { move: 1 })],
    });
    expect(found.ok && found.value.acks).toEqual({ rename: 3, move: 1 });
  });
});

describe('whether an approved plan may be applied now', () => {
  const refusal = (
    parts: Partial<typeof account> = {},
    { of = plan, acks = {}, env = {}, server = times(), override = null as null | object } = {},
  ) =>
    refusalNow(
      { plan: of, acks },
      { ...account, ...parts },
      { clock: { now: () => Date.parse(now) }, env, settings: server } as unknown as JobParts,
      override as Parameters<typeof refusalNow>[3],
    );

  it('is allowed in the modes propose and correct', () => {
    expect(refusal()).toBeUndefined();
    expect(refusal({ mode: 'correct' })).toBeUndefined();
  });

  it.each([
    ['in mode observe', () => refusal({ mode: 'observe' }), 'read-only'],
    [
      'while the environment forbids changes',
      () => refusal({}, { env: { RAMPART_READ_ONLY: '1' } }),
      'read-only',
    ],
    [
      'with a value of RAMPART_READ_ONLY that is no word for no',
      () => refusal({}, { env: { RAMPART_READ_ONLY: 'x' } }),
      'read-only',
    ],
    [
      'above a limit of the account',
      () => refusal({ limits: { rename: { kind: 'count', count: 0 } } }),
      'limit-exceeded',
    ],
    [
      'with an error in the plan',
      () => refusal({}, { of: { ...plan, problems: [problem('name-conflict', 'x')] } }),
      'name-conflict',
    ],
    ['outside a window of the account', () => refusal({ windows: [closed] }), 'outside-window'],
    ['during a freeze of the server', () => refusal({}, { server: times({ freezes: [freeze] }) }), 'frozen'],
  ])('is refused %s', (_, of, code) => {
    expect(of()).toMatchObject({ code });
  });

  it('is allowed above a limit of the account with exactly the approved number', () => {
    const limits = { rename: { kind: 'count', count: 0 } } as const;
    expect(refusal({ limits }, { acks: { rename: 1 } })).toBeUndefined();
    expect(refusal({ limits }, { acks: { rename: 2 } })).toBeDefined();
  });

  it('ignores warnings of the plan', () => {
    expect(refusal({}, { of: { ...plan, problems: [warning('policy-warning', 'x')] } })).toBeUndefined();
  });

  it('reports a lasting refusal before a closed window, and an override lifts only windows and freezes', () => {
    const override = { by: alice, reason: 'incident', at: now };
    const limits = { rename: { kind: 'count', count: 0 } } as const;
    expect(refusal({ windows: [closed] }, { override })).toBeUndefined();
    expect(refusal({}, { override, server: times({ freezes: [freeze] }) })).toBeUndefined();
    expect(refusal({ windows: [closed], limits })).toMatchObject({ code: 'limit-exceeded' });
    expect(refusal({ windows: [closed], limits }, { override })).toMatchObject({ code: 'limit-exceeded' });
    expect(refusal({ mode: 'observe' }, { override })).toMatchObject({ code: 'read-only' });
  });
});

describe('the window or freeze that keeps a plan waiting', () => {
  const constrained = (parts: object): Plan => ({
    ...plan,
    constraints: { windows: [], freezes: [], ...parts },
  });
  const planned = { name: 'nightly', kinds: ['rename'] as const, only: ['Mon-Sun 20:00-06:00 UTC'], place };

  it.each([
    ['the desired state', () => closedWindow(constrained({ windows: [planned] }), account, times(), now)],
    ['the account', () => closedWindow(plan, { ...account, windows: [closed] }, times(), now)],
    ['the server', () => closedWindow(plan, account, times({ windows: [closed] }), now)],
  ])('can be one of %s', (_, of) => {
    expect(of()).toMatchObject({
      code: 'outside-window',
      policy: 'nightly',
      hint: 'opens Mon 2026-11-23 20:00 UTC',
    });
  });

  it('is none if all are open, or if none concerns the kinds of change in the plan', () => {
    expect(
      closedWindow(plan, { ...account, windows: [always] }, times({ windows: [always] }), now),
    ).toBeUndefined();
    const deletions = windowOf('Mon-Sun 20:00-06:00 UTC', ['delete']);
    expect(closedWindow(plan, account, times({ windows: [deletions] }), now)).toBeUndefined();
    expect(
      closedWindow(plan, account, times({ windows: [windowOf('Mon-Sun 20:00-06:00 UTC', ['rename'])] }), now),
    ).toBeDefined();
  });

  it('is a freeze with its end, if it has one', () => {
    const until = '2026-12-01T00:00:00Z';
    const hintOf = (frozen: Plan, freezes: readonly object[] = []) =>
      closedWindow(frozen, account, times({ freezes }), now)?.hint;
    expect(hintOf(plan, [freeze])).toBe('the freeze has no end');
    expect(hintOf(plan, [{ ...freeze, until }])).toBe(`ends ${until}`);
    expect(hintOf(constrained({ freezes: [{ ...freeze, until }] }))).toBe(`ends ${until}`);
    const other = { name: 'other', from: '2027-01-01T00:00:00Z', until: '2027-02-01T00:00:00Z', place };
    expect(hintOf(plan, [other, { ...freeze, until }])).toBe(`ends ${until}`);
    expect(hintOf(plan, [other])).toBeUndefined();
  });

  it('is not part of the plan that people approve', () => {
    const frozen = problem('frozen', 'x');
    const closedNow = problem('outside-window', 'x');
    const conflict = problem('name-conflict', 'x');
    const made = (...problems: Plan['problems']): Plan => ({ ...plan, problems, applicable: false });
    expect(withoutTime(made(frozen, closedNow))).toEqual({ ...plan, problems: [], applicable: true });
    expect(withoutTime(made(frozen, conflict))).toEqual(made(conflict));
    const unconcerned = made(conflict);
    expect(withoutTime(unconcerned)).toBe(unconcerned);
  });
});

describe('what the operator requires of approvals', () => {
  const rule = (required: number, hours: number, parts: Partial<ApprovalRule> = {}): ApprovalRule => ({
    required,
    notAuthor: false,
    expireAfterMs: hours * 3_600_000,
    place,
    ...parts,
  });
  const policyOf = (...approvals: readonly ApprovalRule[]) =>
    approvalPolicyOf(
      { name: 'berlin', labels: { region: 'eu' }, configuredLabels: new Set(['region', 'tier']) },
      { approvals },
    );
  const hour = 3_600_000;

  const usual = { approvals: 1, notAuthor: false, expiresAfterMs: 24 * hour };
  it('is one approval within a day without rules', () => {
    expect(policyOf()).toEqual(usual);
  });

  it('does not depend on the rules for other accounts', () => {
    expect(policyOf(rule(3, 1, { where: 'region == "us"', notAuthor: true }))).toEqual(usual);
  });

  it('is the strictest of all rules that select the account', () => {
    const others = [rule(2, 8, { where: 'region == "eu"' }), rule(1, 4, { notAuthor: true })];
    expect(policyOf(...others)).toEqual({ approvals: 2, notAuthor: true, expiresAfterMs: 4 * hour });
    expect(policyOf(rule(1, 48))).toEqual({ approvals: 1, notAuthor: false, expiresAfterMs: 48 * hour });
    expect(policyOf(rule(2, 8, { where: 'name == "berlin"' }))).toMatchObject({ approvals: 2 });
    expect(policyOf(rule(2, 8, { where: 'name == "oslo"' }))).toMatchObject({ approvals: 1 });
    expect(policyOf(rule(2, 8, { where: 'tier == "gold"' }))).toMatchObject({ approvals: 1 });
  });

  it.each(['unknown == "x"', 'region ==', 'region'])(
    'includes a rule for "%s", which can\'t be evaluated',
    (where) => {
      expect(policyOf(rule(2, 8, { where }))).toMatchObject({ approvals: 2 });
    },
  );
});
