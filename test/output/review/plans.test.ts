import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportAccount } from '../../../src/accounts/plans/report-account.ts';
import { type InstallRequest, nothingRecalled } from '../../../src/core/model/install-request.ts';
import type { HostId } from '../../../src/core/model/observed.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { paintPlansHtml } from '../../../src/output/page/plans-html.ts';
import { plainColor } from '../../../src/output/review/color.ts';
import { paintPlansMarkdown } from '../../../src/output/review/plans-markdown.ts';
import { toPlansRows } from '../../../src/output/review/plans-rows.ts';
import { paintPlans } from '../../../src/output/review/plans-text.ts';
import { verdicts } from '../../../src/output/review/plans-words.ts';
import { arbitraryPlans, headOf, reportOf, reviewOf } from '../../given/account-plans.ts';
import { at, hostId } from '../../given/fleet.ts';
import { hostileNames } from '../../given/hostile-names.ts';
import { givenPlan } from '../../given/plan.ts';
import { elementsOf, proseOf, renderMarkdown } from '../../given/rendered-markdown.ts';

const text = { color: plainColor, columns: null };

/** This many accounts, in which one rule renames hosts and one line deletes some. */
function manyAccounts(count: number) {
  return reviewOf(
    Array.from({ length: count }, (_, index) => {
      const name = `account-${String(index).padStart(4, '0')}`;
      if (index % 7 === 3) return reportOf(name);
      const ids = [1, 2, 3, 4, 5, 6, 7, 8];
      const plan = givenPlan({
        hosts: ids.map((id) => ({ id, name: `PC-${name}-${id}` })),
        entries: ids.map((id) => (id === 1 ? { id, ensure: 'absent' } : { id, name: `${name}-${id}` })),
      });
      return reportOf(name, plan);
    }),
  );
}

describe('the review of many plans', () => {
  it('has the same totals in text, Markdown and page, for any plans', () =>
    fc.assert(
      fc.property(arbitraryPlans, (plans) => {
        const review = reviewOf(plans.map(([name, plan]) => reportOf(name, plan)));
        const rows = toPlansRows(review);
        const { failed, changes, 'no-changes': none } = review.totals.outcomes;
        const { delete: deleted } = review.totals.summary;
        for (const painted of [
          paintPlans(rows, text),
          paintPlansMarkdown(rows, { limit: 65_536 }),
          paintPlansHtml(rows),
        ]) {
          expect(painted).toContain(`${changes} with changes, ${none} without changes.`);
          expect(painted.includes('nothing is known about ')).toBe(failed > 0);
          expect(painted.includes('Delete ')).toBe(deleted > 0);
          for (const { account } of review.accounts) expect(painted).toContain(account.name);
        }
      }),
      { numRuns: 25 },
    ));

  it('groups each account exactly once', () =>
    fc.assert(
      fc.property(arbitraryPlans, (plans) => {
        const { groups, review } = toPlansRows(reviewOf(plans.map(([name, plan]) => reportOf(name, plan))));
        const grouped = groups.flatMap(({ accounts }) => accounts.map(({ account }) => account.name));
        expect(grouped.toSorted()).toEqual(review.accounts.map(({ account }) => account.name).toSorted());
      }),
      { numRuns: 25 },
    ));

  it('never shows "no changes" if no account has a plan', () => {
    const rows = toPlansRows(reviewOf([reportOf('berlin'), reportOf('munich')]));
    for (const painted of [
      paintPlans(rows, text),
      paintPlansMarkdown(rows, { limit: 65_536 }),
      paintPlansHtml(rows),
    ]) {
      expect(painted.toLowerCase()).not.toContain('no changes');
    }
  });

  it.each([
    [[], 'good', 'No changes: all 2 fleets match their desired state.'],
    [
      ['in-progress'],
      'good',
      'Nothing to send, but not all fleets match their desired state yet: 1 install in progress.',
    ],
    [
      ['in-progress', 'in-progress'],
      'good',
      'Nothing to send, but not all fleets match their desired state yet: 2 installs in progress.',
    ],
  ] as const)('with nothing to send and installs %j, says what is left', (states, tone, words) => {
    const requests = new Map<HostId, InstallRequest>(
      states.map((_, index) => [hostId(index + 1), { state: 'accepted', requestedAt: at }]),
    );
    const plan = givenPlan({
      hosts: states.map((_, index) => ({ id: index + 1, name: `A${index}`, online: false })),
      entries: states.map((_, index) => ({ id: index + 1, antivirus: true })),
      options: { installs: { ...nothingRecalled, requests } },
    });
    const review = reviewOf([
      reportOf('berlin', plan),
      reportOf('lisbon', givenPlan({ hosts: [], entries: [] })),
    ]);
    expect(verdicts(review)).toEqual([{ tone, text: words }]);
    expect(paintPlans(toPlansRows(review), text)).toContain(words);
  });

  it('shows a problem that differs only in the account once, with placeholders', () => {
    const names = ['berlin', 'lisbon-2', 'lisbon-10'];
    const failedReport = (name: string) =>
      reportAccount({
        account: headOf(name),
        exitCode: 3,
        problems: [
          problem(
            'missing-credentials',
            `the variable ${name.toUpperCase().replace('-', '_')}_PSK is not set`,
            { hint: `set it, or write keys/${name}.key` },
          ),
        ],
      });
    const rows = toPlansRows(reviewOf(names.map(failedReport)));
    expect(
      rows.problems.map(({ problem: { message, hint }, accounts }) => [message, hint, accounts]),
    ).toEqual([['the variable {NAME}_PSK is not set', 'set it, or write keys/{name}.key', names]]);
    const [alone] = toPlansRows(reviewOf([failedReport('berlin')])).problems;
    expect(alone?.problem.message).toBe('the variable BERLIN_PSK is not set');
  });

  it('suggests an approval for each account, because a number alone is the sum over all of them', () => {
    const refused = (name: string) => {
      const hint = 'approve them with --ack delete=2';
      const problems = [problem('limit-exceeded', '2 deletions are planned', { hint })];
      return reportAccount({ account: headOf(name), exitCode: 6, problems });
    };
    const hintOf = (names: readonly string[]) =>
      toPlansRows(reviewOf(names.map(refused))).problems.map(({ problem: { hint } }) => hint);
    expect(hintOf(['berlin'])).toEqual(['approve them with --ack berlin:delete=2']);
    expect(hintOf(['berlin', 'lisbon'])).toEqual(['approve them with --ack {name}:delete=2']);
  });

  it("mentions other changes only with changes that can't be undone", () => {
    const rename = givenPlan({ hosts: [{ id: 1, name: 'A' }], entries: [{ id: 1, name: 'B' }] });
    const removal = givenPlan({ hosts: [{ id: 1, name: 'A' }], entries: [{ id: 1, ensure: 'absent' }] });
    const alone = toPlansRows(reviewOf([reportOf('berlin', rename)]));
    const beside = toPlansRows(reviewOf([reportOf('berlin', rename), reportOf('lisbon', removal)]));
    for (const paint of [
      (rows: typeof alone) => paintPlans(rows, text),
      (rows: typeof alone) => paintPlansMarkdown(rows, { limit: 65_536 }),
      paintPlansHtml,
    ]) {
      expect(paint(alone)).toContain('1 account with changes');
      expect(paint(beside)).toContain('1 account with other changes');
    }
  });

  it('sorts accounts as people sort names, in the review and in the index', () => {
    const review = reviewOf(['a-10', 'a-9', 'a-1'].map((name) => reportOf(name)));
    expect(review.accounts.map(({ account }) => account.name)).toEqual(['a-1', 'a-9', 'a-10']);
    const rows = toPlansRows(review);
    for (const painted of [paintPlans(rows, text), paintPlansMarkdown(rows, { limit: 65_536 })]) {
      expect(painted.match(/a-\d+/g)?.slice(0, 3)).toEqual(['a-1', 'a-9', 'a-10']);
    }
  });

  it('counts a cause over all accounts that it changes', () => {
    const rows = toPlansRows(manyAccounts(14));
    expect(rows.causes.map(({ accounts }) => accounts)).toContain(12);
    const changed = rows.causes.reduce((sum, { changes }) => sum + changes.rename + changes.delete, 0);
    expect(changed).toBe(12 * 8);
  });
});

describe('the Markdown of many plans', () => {
  const rows = toPlansRows(manyAccounts(300));

  it.each([1000, 2000, 5000, 20_000, 65_536, 200_000])('has at most %d characters', (limit) =>
    expect(paintPlansMarkdown(rows, { limit }).length).toBeLessThanOrEqual(limit),
  );

  it('shows every account before the plan of any account', () => {
    const markdown = paintPlansMarkdown(rows, { limit: 65_536 });
    const [top = ''] = markdown.split('### Plans by account');
    for (const { account } of rows.review.accounts) expect(top).toContain(`\`${account.name}\``);
  });

  it('counts the plans that it leaves out', () => {
    const markdown = paintPlansMarkdown(rows, { limit: 65_536 });
    const shown = markdown.split('### Plans by account')[1]?.match(/<summary>/g)?.length ?? 0;
    const changed = rows.review.accounts.filter(({ plan }) => plan !== undefined).length;
    expect(markdown).toContain(`**${changed - shown} more accounts with renames or moves**`);
  });
});

it('bounds the page by the number of accounts', () =>
  expect(paintPlansHtml(toPlansRows(manyAccounts(300))).length).toBeLessThan(1_000_000));

/** A review in which a host, an account, a label and a message have this text. */
function hostileReview(name: string) {
  const plan = givenPlan({
    hosts: [
      { id: 1, name: `${name}1` },
      { id: 2, name: `${name}2` },
    ],
    entries: [
      { id: 1, name: `${name}3` },
      { id: 2, ensure: 'absent' },
    ],
  });
  const account = { ...headOf(`${name}y`), labels: { region: name } };
  const failure = problem('network', `text ${name}`, { hint: `text ${name}` });
  return toPlansRows(
    reviewOf([
      reportAccount({ account, exitCode: 0, plan, problems: [] }),
      reportAccount({ account: headOf(`${name}z`), exitCode: 1, problems: [failure] }),
    ]),
  );
}

describe('hostile text in the review of many plans', () => {
  const markdownOf = (name: string) =>
    renderMarkdown(paintPlansMarkdown(hostileReview(name), { limit: 65_536 }));
  const calm = elementsOf(markdownOf('calm')).toSorted();
  const calmPage = elementsOf(paintPlansHtml(hostileReview('calm'))).toSorted();

  it.each(hostileNames)('%j stays text', (name) => {
    const painted = paintPlans(hostileReview(name), text);
    expect(painted).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u);
    const rendered = markdownOf(name);
    expect(elementsOf(rendered).toSorted()).toEqual(calm);
    expect(proseOf(rendered)).not.toMatch(/@|#|GH-|www|:\/\/|:tada:/);
    const page = paintPlansHtml(hostileReview(name)).replace(/<style>[\s\S]*?<\/style>/, '');
    const elements = elementsOf(page).filter((each) => !calmPage.includes(each));
    expect(elements.filter((each) => each !== 'details' && each !== 'summary')).toEqual([]);
  });
});
