import { describe, expect, it } from 'vitest';
import { splitIntoWaves } from '../../../src/accounts/rollouts/split-waves.ts';
import type { PlansComparison } from '../../../src/api/compared-plans.ts';
import { inboxOrder } from '../../../src/console/pages/approvals/inbox-order.ts';
import { auditQueryOf } from '../../../src/console/pages/audit/audit-filter.ts';
import { typedNumbers } from '../../../src/console/pages/change/decision.ts';
import { accountMark, accountsWorstFirst } from '../../../src/console/pages/rollouts/account-mark.ts';
import {
  inReviewOrder,
  togetherText,
  usualText,
} from '../../../src/console/pages/rollouts/plans-together.ts';
import { accountsIn } from '../../../src/console/pages/rollouts/rollout-draft.ts';
import { progressText, rolloutActs } from '../../../src/console/pages/rollouts/rollout-words.ts';
import { sharesOf, wavesOf } from '../../../src/console/pages/rollouts/wave-sizes.ts';
import { tokenFormReason, tokenMark } from '../../../src/console/pages/settings/token-words.ts';
import { checkNews } from '../../../src/console/pages/welcome/check-news.ts';
import { approvalState, approvalsLeft, approversText } from '../../../src/console/words/approvers.ts';
import { changesText } from '../../../src/console/words/changes.ts';
import { rolloutMarks } from '../../../src/console/words/state-marks.ts';
import { webAddress } from '../../../src/console/words/web-address.ts';
import { actionText } from '../../../src/output/components/change-words.ts';
import { groupedCauses } from '../../../src/output/components/grouped-causes.ts';
import { drawnChain, rowText } from '../../../src/output/components/rename-order.ts';
import { rolloutAccountStatuses } from '../../../src/run/state/rollout/rollout.ts';
import { givenAccount } from '../../given/console/accounts.ts';
import { before, chain, givenPlanRow, readAt, ring } from '../../given/console/plans.ts';
import { givenRollout, givenRolloutDetail } from '../../given/console/runs.ts';
import { givenToken } from '../../given/console/settings.ts';

describe('the waves of a new rollout', () => {
  it.each([
    [12, 2, '10,50,100', [2, 1, 4, 5]],
    [12, 0, '50,100', [6, 6]],
    [1, 1, '10,50,100', [1]],
    [3, 1, '10,50,100', [1, 1, 1]],
    [1_000, 1, '100', [1, 999]],
  ] as const)(
    'has the sizes that the server makes: %i accounts, %i first, %s',
    (accounts, first, division, sizes) => {
      const names = Array.from(
        { length: accounts },
        (_, index) => `account-${String(index).padStart(4, '0')}`,
      );
      const split = splitIntoWaves(
        names.map((name) => ({ name, labels: {} })),
        { canaries: new Set(names.slice(0, first)), shares: sharesOf(division) },
      );
      expect(wavesOf(accounts, first, division).map((wave) => wave.accounts)).toEqual(sizes);
      expect(split.map((wave) => wave.accounts.length)).toEqual(sizes);
      expect(wavesOf(accounts, first, division).map(({ name }) => name)).toEqual(
        split.map(({ name }) => name),
      );
    },
  );

  it('has the accounts that the address or the draft names', () => {
    expect([accountsIn(''), accountsIn(' '), accountsIn('berlin lab-2')]).toEqual([
      [],
      [],
      ['berlin', 'lab-2'],
    ]);
  });

  it.each(['', 'null', 'no JSON', '[1, null]'])('has no number if the draft is %o', (kept) => {
    expect(typedNumbers(kept)['delete']).toBeUndefined();
  });
});

describe('plans that are reviewed together', () => {
  const counts = { ...givenPlanRow().counts, delete: 0, install: 0, rename: 0, move: 0, refresh: 0 };
  const plan = (account: string, change: object) =>
    givenPlanRow({ id: account, account, counts: { ...counts, ...change } });
  const plans = [plan('a', { rename: 2 }), plan('b', { rename: 3, delete: 1 }), plan('c', { rename: 4 })];

  const compared = (usual: readonly string[], unusual: PlansComparison['unusual'] = []) => ({
    plans: plans.slice(0, usual.length + unusual.length),
    usual: { accounts: [...usual], text: '2 renames each' },
    unusual,
    without_plan: [],
    more: { unusual: 0, without_plan: 0 },
  });

  it.each([
    ['a single plan', compared(['a']), undefined],
    [
      'two plans that are alike',
      compared(['a', 'b']),
      'Both accounts get the same kind of changes: 2 renames each.',
    ],
    [
      'plans that are alike',
      compared(['a', 'b', 'c']),
      'All 3 accounts get the same kind of changes: 2 renames each.',
    ],
    [
      'some that differ',
      compared(['a', 'c'], [{ accounts: ['b'], text: 'also 1 deletion' }]),
      '2 of 3 accounts get the same kind of changes: 2 renames each.',
    ],
    [
      'plans that all differ',
      compared(['a'], [{ accounts: ['b'], text: 'also 1 deletion' }]),
      'Each account gets different changes. a: 2 renames each.',
    ],
  ])('say what most of them change: %s', (_, comparison, text) => {
    expect(usualText(comparison)).toBe(text);
  });

  it('come with exact totals, those that differ from the others first', () => {
    expect(togetherText(plans)).toBe('In total, 1 deletion, 9 renames on 3 accounts.');
    const comparison = compared(['a', 'c'], [{ accounts: ['b'], text: 'also 1 deletion: OLD' }]);
    expect(inReviewOrder(comparison).map(({ account }) => account)).toEqual(['b', 'a', 'c']);
    expect(togetherText(plans.slice(0, 1))).toBe('In total, 2 renames on 1 account.');
  });

  it('say how many other people must approve first', () => {
    const by = { kind: 'person', id: 'grace', name: 'Grace' } as const;
    const approval = { by, at: before(1), decision: 'approved', numbers: {}, via: 'console' } as const;
    const planOf = (approvals: number, given: number, allowed: boolean) =>
      givenPlanRow({
        state: 'waiting',
        required: { approvals, not_author: false, numbers: [], approvers: [] },
        approvals: Array.from({ length: given }, () => approval),
        may_approve: { allowed },
      });
    const waiting = (approvals: number, given: number, allowed: boolean) =>
      approvalsLeft(planOf(approvals, given, allowed));
    expect([waiting(1, 0, true), waiting(2, 0, true), waiting(2, 1, true), waiting(3, 2, false)]).toEqual([
      0, 1, 0, 2,
    ]);
    expect(approvalsLeft(givenPlanRow({ state: 'approved' }))).toBe(0);
    expect(approvalState(planOf(1, 0, true))).toBe('');
    expect(approvalState(planOf(3, 1, true))).toBe('approved by Grace; needs 1 more approval besides yours');
    expect(approvalState(planOf(2, 0, false))).toBe('needs 2 more approvals');
  });

  it.each([
    [1, true, [], '1 approval by whoever opens the login link of the server, but not by the author'],
    [2, false, [{ kind: 'group', name: 'ops' }], '2 approvals by members of the group "ops"'],
    [
      1,
      true,
      [
        { kind: 'group', name: 'ops' },
        { kind: 'group', name: 'fleet' },
        { kind: 'person', name: 'Grace' },
      ],
      '1 approval by members of the groups "ops" or "fleet" or Grace, but not by the author',
    ],
  ] as const)('name who must approve: %s %s %j', (approvals, notAuthor, approvers, text) => {
    const required = { approvals, not_author: notAuthor, numbers: [], approvers: [...approvers] };
    expect(approversText({ required })).toBe(text);
  });
});

describe('the order of approvals', () => {
  it("has mine first, then what can't be undone, then the oldest", () => {
    const plan = (id: string, irreversible: number, minutes: number, allowed = true) =>
      givenPlanRow({ id, irreversible, created_at: before(minutes), may_approve: { allowed } });
    const plans = [plan('a', 0, 90), plan('b', 0, 10), plan('c', 2, 5), plan('d', 1, 60, false)];
    expect(inboxOrder(plans).map(({ id }) => id)).toEqual(['c', 'a', 'b', 'd']);
  });
});

describe('the filters of the audit log', () => {
  it('asks for times in UTC', () => {
    const given = { from: '2026-11-23T08:00', to: 'yesterday' };
    const get = (name: string) => given[name as keyof typeof given] ?? '';
    expect(auditQueryOf(get)).toMatchObject({
      from: new Date('2026-11-23T08:00').toISOString(),
      to: null,
    });
    expect(auditQueryOf(() => '')).toMatchObject({ from: null, to: null });
  });
});

describe('the words of a plan', () => {
  it("counts what can't be undone first", () => {
    expect(changesText(givenPlanRow().counts)).toBe(
      '3 deletions, 2 anti-virus installs, 12 renames, 7 moves',
    );
    expect(changesText({ rename: 0, move: 0, delete: 0, install: 0, refresh: 0 })).toBe('no changes');
    expect(actionText({ action: ['move', 'rename'] })).toBe('Rename and move');
  });

  it('draws chains and cycles from the graph of the HTML report', () => {
    const drawn = drawnChain(ring);
    expect([drawn.title, drawn.graph.cyclic]).toEqual(['Cycle', true]);
    expect(drawn.graph.rows.map((row) => rowText(row, drawn.graph))).toEqual([
      'the cycle starts here',
      'step 1: host 812340201, temporary rename first',
      'step 3: host 812340202',
      'step 2: host 812340203, which closes the cycle',
    ]);
    expect(drawnChain(chain).graph.rows.map(({ name }) => name)).toEqual([
      'LIS-WEB-1',
      'LIS-WEB-2',
      'LIS-WEB-3',
      'LIS-WEB-4',
    ]);
    expect(drawnChain(chain).graph.hidden).toBe(0);
  });

  it('counts the renames that the server leaves out of a chain among those that it does not draw', () => {
    expect(drawnChain({ ...chain, hosts: 1_003 }).graph.hidden).toBe(1_000);
  });

  it('opens only web addresses', () => {
    expect(webAddress('https://git.example.com/a')).toBe('https://git.example.com/a');
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//x', '', 'a b'])
      expect(webAddress(bad), bad).toBeNull();
  });
});

describe('the words of a rollout', () => {
  it('says how far it is, and has accounts that need a person first', () => {
    expect(progressText(givenRollout())).toBe('Wave 2 of 4, 16 of 78 accounts done, 1 failed.');
    const waves = givenRollout().waves.map((wave) => ({ ...wave, state: 'pending' as const }));
    const reason = 'the canary account berlin failed';
    expect(progressText(givenRollout({ waves, state: 'stopped', reason }))).toBe(
      'Stopped before wave 2 of 4, 16 of 78 accounts done, 1 failed: the canary account berlin failed.',
    );
    expect(accountsWorstFirst(givenRolloutDetail().accounts).map(({ state }) => state)[0]).toBe('failed');
    expect(
      accountsWorstFirst([
        { state: 'of a later server', wave: 1 },
        { state: 'done', wave: 2 },
      ]),
    ).toHaveLength(2);
  });

  it('has words and a glyph of its own for every state of its accounts', () => {
    const ofLater = accountMark('of a later server').glyph;
    const others = rolloutAccountStatuses.filter((state) => state !== 'pending');
    for (const state of others) expect(accountMark(state).glyph).not.toBe(ofLater);
    expect(accountMark('undo-failed').word).toBe('undo failed');
  });

  it('can be stopped, continued and aborted only where that means something', () => {
    const acts = (Object.keys(rolloutMarks) as (keyof typeof rolloutMarks)[]).map((state) => [
      state,
      rolloutActs({ state }),
    ]);
    expect(Object.fromEntries(acts)).toEqual({
      running: ['stop', 'abort'],
      waiting: ['stop', 'abort'],
      stopped: ['continue', 'abort'],
      aborted: [],
      done: [],
    });
  });
});

describe('tokens in the settings', () => {
  it('are usable, expired or revoked', () => {
    const now = Date.parse(readAt);
    expect(tokenMark(givenToken(), now).word).toBe('usable');
    expect(tokenMark(givenToken({ expires_at: before(1) }), now).word).toBe('expired');
    expect(tokenMark(givenToken({ revoked_at: before(1) }), now).word).toBe('revoked');
  });

  it('need a name and from 1 to 366 whole days', () => {
    const form = { name: 'x', days: '90', role: 'viewer', where: '' } as const;
    expect(tokenFormReason(form)).toBeNull();
    expect(tokenFormReason({ ...form, name: ' ' })).toMatch(/name/);
    for (const days of ['0', '367', '1.5', 'x']) expect(tokenFormReason({ ...form, days })).toMatch(/366/);
  });
});

describe('the first visit', () => {
  it('follows the first account from nothing to its first check', () => {
    const account = givenAccount({ hosts: null, last_check_at: null, failure: null });
    const failure = { since: before(1), attempts: 1, code: 'x', message: 'the service answered 401' };
    expect(checkNews([]).state).toBe('none');
    expect(checkNews([account]).state).toBe('unchecked');
    expect(checkNews([{ ...account, failure }])).toMatchObject({ state: 'failing', hint: '' });
    expect(
      checkNews([{ ...account, failure }, givenAccount({ hosts: 0, last_check_at: before(1) })]),
    ).toMatchObject({
      state: 'checked',
      hosts: 0,
    });
  });
});

it('the entries of a file are one cause of a plan, and rules stay apart', () => {
  const entry = (line: number, file = 'fleet.yaml') => ({
    title: `entry at ${file}:${line}`,
    place: { file, line },
    hosts: 2,
  });
  const rule = { title: 'rule "kiosks"', place: { file: 'fleet.yaml', line: 9 }, hosts: 7 };
  expect(groupedCauses([entry(1), rule, entry(5), entry(3, 'other.yaml')])).toEqual([
    { title: '2 entries', place: { file: 'fleet.yaml' }, hosts: 4 },
    rule,
    entry(3, 'other.yaml'),
  ]);
  expect(groupedCauses([])).toEqual([]);
});
