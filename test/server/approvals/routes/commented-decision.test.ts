import { describe, expect, it } from 'vitest';
import type { CallerIdentity } from '../../../../src/api/access/grants.ts';
import { failed, ok, problem, type Result } from '../../../../src/core/problem/problem.ts';
import {
  type CommentedDecision,
  type DecisionParts,
  decideByComment,
} from '../../../../src/server/approvals/routes/commented-decision.ts';
import type { PlanQuery, PlanRecord } from '../../../../src/server/plans/records/plans.ts';
import type { ReviewerSettings } from '../../../../src/server/settings/server-settings.ts';

const place = { file: 'rampart.config.yaml', line: 1, col: 1, text: '', width: 1 };
const checksum = 'a1'.repeat(32);
const zoe: ReviewerSettings = {
  id: 'oidc-zoe',
  name: 'Zoe',
  email: 'zoe@example.com',
  github: 'Zoe',
  gitlab: '8',
  where: 'region == "eu"',
  place,
};
const labels = new Set(['region']);
const accounts = [
  { name: 'berlin', labels: { region: 'eu' }, configuredLabels: labels },
  { name: 'austin', labels: { region: 'us' }, configuredLabels: labels },
] as unknown as DecisionParts['settings']['accounts'];
const plan = (account: string, parts: object = {}) =>
  ({
    id: `plan-${account}`,
    account,
    source: 'fleet',
    checksum,
    state: 'approved',
    replacedBy: null,
    pullRequest: null,
    changes: 12,
    irreversible: 2,
    approvals: [{ decision: 'approved' }],
    required: { approvals: 1, notAuthor: true, numbers: [{ limit: 'delete', value: 2, allowed: 0 }] },
    ...parts,
  }) as unknown as PlanRecord;
const approve: CommentedDecision = {
  forge: 'github',
  source: 'fleet',
  command: { decision: 'approved', checksum, numbers: {} },
  author: { id: 8, login: 'zoe' },
  opener: { id: 7, login: 'jane' },
  pull: 12,
};

async function decided(
  comment: Partial<CommentedDecision> = {},
  {
    plans = [plan('berlin')],
    reviewers = [zoe],
    decision = (found) => ok(found),
  }: {
    plans?: PlanRecord[];
    reviewers?: ReviewerSettings[];
    decision?: (found: PlanRecord) => Result<PlanRecord>;
  } = {},
) {
  const calls: [string, CallerIdentity, readonly string[]][] = [];
  const commands: CommentedDecision['command'][] = [];
  const list = async ({ visible, source, states, cursor }: PlanQuery) => {
    expect(states).toEqual(['waiting', 'stale']);
    const items = plans.filter(
      (each) => each.source === source && (visible as string[]).includes(each.account),
    );
    const at = Number(cursor ?? 0);
    return ok({ items: items.slice(at, at + 1), ...(at + 1 < items.length ? { next: String(at + 1) } : {}) });
  };
  const result = await decideByComment(
    { ...approve, ...comment },
    {
      settings: { accounts, reviewers },
      store: { plans: { list } as unknown as DecisionParts['store']['plans'] },
      decide: async (found, identity, visible, command) => {
        calls.push([found.id, identity, visible]);
        commands.push(command);
        return decision(found);
      },
    },
  );
  return { result, calls, commands };
}

describe('a decision by a comment', () => {
  it('is made with the numbers and the change ticket of the comment', async () => {
    const command = { ...approve.command, numbers: { delete: 2 }, ticket: 'CHG0001' };
    expect((await decided({ command })).commands).toEqual([command]);
  });

  it('counts for the person that the settings assign to the user, on accounts that they may approve', async () => {
    const { result, calls } = await decided();
    expect(result).toMatchObject({
      ok: true,
      value: {
        message:
          'the plan of berlin is approved by Zoe: 12 changes (2 irreversible), delete=2, its run is queued',
        plan: 'plan-berlin',
      },
    });
    expect(calls).toEqual([
      [
        'plan-berlin',
        {
          subject: { kind: 'person', id: 'oidc-zoe', name: 'Zoe' },
          email: 'zoe@example.com',
          grants: [{ role: 'approver', where: 'region == "eu"' }],
          csrf: null,
          expiresAt: null,
        },
        ['berlin'],
      ],
    ]);
  });
  it('can be about a plan that a check replaced, but never about a stale one', async () => {
    const stale = (replacedBy: string | null) => plan('berlin', { state: 'stale', replacedBy });
    expect((await decided({}, { plans: [stale('newer')] })).calls).toHaveLength(1);
    const { result, calls } = await decided({}, { plans: [stale(null)] });
    expect(result).toMatchObject({ ok: false, problems: [{ code: 'not-found' }] });
    expect(calls).toEqual([]);
  });

  it('is refused for a user without a person in the settings, even if the other forge has that user', async () => {
    const stranger = { result: { ok: false, problems: [{ code: 'forbidden' }] }, calls: [] };
    expect(await decided({ author: { id: 9, login: 'mallory' } })).toMatchObject(stranger);
    expect(await decided({ forge: 'gitlab', author: { id: 9, login: 'zoe' } })).toMatchObject(stranger);
    expect(await decided({}, { reviewers: [] })).toMatchObject(stranger);
    const elsewhere: ReviewerSettings = { ...zoe, github: 'zoe' };
    delete (elsewhere as { gitlab?: string }).gitlab;
    const undefinedName = { forge: 'gitlab', author: { id: 9, login: 'undefined' } } as const;
    expect(await decided(undefinedName, { reviewers: [elsewhere] })).toMatchObject(stranger);
    const renamed = await decided({ forge: 'gitlab', author: { id: 8, login: 'renamed' } });
    expect(renamed.calls).toHaveLength(1);
  });
  it('finds no plan of another account, another source or another checksum', async () => {
    for (const other of [
      plan('austin'),
      plan('berlin', { source: 'other' }),
      plan('berlin', { checksum: 'b2'.repeat(32) }),
    ]) {
      const { result, calls } = await decided({}, { plans: [other] });
      expect(result).toMatchObject({ ok: false, problems: [{ code: 'not-found' }] });
      expect(calls).toEqual([]);
    }
  });
  it('reports what the plan changes, and what it still needs', async () => {
    const messageOf = async (parts: object, command: Partial<CommentedDecision['command']> = {}) => {
      const { result } = await decided(
        { command: { ...approve.command, ...command } },
        { decision: (found) => ok({ ...found, ...parts }) },
      );
      return result.ok ? result.value.message : undefined;
    };
    const approved = 'the plan of berlin is approved by Zoe: ';
    expect(await messageOf({ state: 'waiting', required: { approvals: 3, numbers: [] } })).toBe(
      `${approved}12 changes (2 irreversible), 1 of 3 approvals`,
    );
    expect(await messageOf({ changes: 1, irreversible: 0, required: { approvals: 1, numbers: [] } })).toBe(
      `${approved}1 change (0 irreversible), its run is queued`,
    );
    expect(await messageOf({ state: 'rejected' }, { decision: 'rejected' })).toBe(
      'the plan of berlin is rejected by Zoe: Rampart does not apply its 12 changes (2 irreversible)',
    );
  });
  it('is refused for the same reasons as everywhere', async () => {
    const refused = failed(problem('stale-plan', 'the plan expired'));
    expect((await decided({}, { decision: () => refused })).result).toEqual(refused);
  });
  it('finds the plan on a later page', async () => {
    const others = [plan('berlin', { checksum: 'b2'.repeat(32) }), plan('berlin')];
    expect((await decided({}, { plans: others })).calls).toHaveLength(1);
  });
  it('is refused for the person who opened the pull request if the author may not approve', async () => {
    const own = { opener: { id: 8, login: 'zoe' } };
    expect((await decided(own)).result).toMatchObject({ ok: false, problems: [{ code: 'not-approved' }] });
    const lenient = plan('berlin', { required: { approvals: 1, notAuthor: false, numbers: [] } });
    expect((await decided(own, { plans: [lenient] })).calls).toHaveLength(1);
    const rejection = { decision: 'rejected' as const, checksum, numbers: {}, comment: 'no' };
    expect((await decided({ ...own, command: rejection })).calls).toHaveLength(1);
  });
  it("is accepted only in the plan's own pull request if the author may not approve: another one has another opener", async () => {
    const page = 'https://github.com/acme/fleet/pull/12';
    const of = (parts: object) => ({ plans: [plan('berlin', { pullRequest: page, ...parts })] });
    expect((await decided({}, of({}))).calls).toHaveLength(1);
    for (const pull of [2, 112, null]) {
      const { result, calls } = await decided({ pull }, of({}));
      expect(result).toMatchObject({
        ok: false,
        problems: [{ code: 'not-approved', hint: `comment on ${page}` }],
      });
      expect(calls).toEqual([]);
    }
    const lenient = { required: { approvals: 1, notAuthor: false, numbers: [] } };
    expect((await decided({ pull: 2 }, of(lenient))).calls).toHaveLength(1);
    const rejection = { decision: 'rejected' as const, checksum, numbers: {}, comment: 'no' };
    expect((await decided({ pull: 2, command: rejection }, of({}))).calls).toHaveLength(1);
  });
});
