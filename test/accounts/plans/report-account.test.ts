import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reportAccount } from '../../../src/accounts/plans/report-account.ts';
import { sumAccounts } from '../../../src/accounts/plans/review-accounts.ts';
import { type AccountReport, mostReported } from '../../../src/output/review/account-report.ts';
import { arbitraryPlans, headOf, reportOf } from '../../given/account-plans.ts';
import { givenGroups, reorganizations } from '../../given/arbitrary-fleet.ts';
import { givenPlan } from '../../given/plan.ts';

/** The changes that causes request together. */
function sum(causes: NonNullable<AccountReport['plan']>['causes']['first']) {
  const counts = { rename: 0, move: 0, antivirus: 0, delete: 0 };
  for (const { changes } of causes)
    for (const kind of ['rename', 'move', 'antivirus', 'delete'] as const) counts[kind] += changes[kind];
  return counts;
}

describe('the report of an account', () => {
  it('has causes that add up to exactly the changes of the plan', () =>
    fc.assert(
      fc.property(reorganizations, ({ hosts, entries }) => {
        const { plan } = reportOf('berlin', givenPlan({ hosts, entries, groups: givenGroups }));
        const { rename, move, antivirus, delete: deleted } = plan?.summary ?? {};
        expect(sum(plan?.causes.first ?? [])).toEqual({ rename, move, antivirus, delete: deleted });
      }),
      { numRuns: 50 },
    ));

  it('has a bounded size, and counts what it leaves out', () => {
    const many = (count: number) => {
      const ids = Array.from({ length: count }, (_, index) => index + 1);
      const plan = givenPlan({
        hosts: ids.map((id) => ({ id, name: `${'host'.repeat(20)}-${id}` })),
        entries: ids.map((id) => (id % 2 === 0 ? { id, name: `n${id}` } : { id, ensure: 'absent' })),
      });
      return reportOf('berlin', plan);
    };
    const report = many(4000);
    const size = JSON.stringify(report).length;
    expect(size).toBeLessThan(JSON.stringify(many(400)).length + 100);
    expect(report.plan?.irreversible.count).toBe(2000);
    expect(report.plan?.irreversible.first).toHaveLength(mostReported.irreversible);
    expect(report.plan?.changes.count).toBe(2000);
    expect(report.plan?.causes.count).toBe(4000);
    expect(sum(report.plan?.causes.first ?? [])).toMatchObject({ rename: 2000, delete: 2000 });
  });

  it('bounds the messages of problems, and never cuts a character in two', () => {
    const message = `${'a'.repeat(498)}😀${'b'.repeat(1000)}`;
    const report = reportAccount({
      account: headOf('berlin'),
      exitCode: 1,
      problems: [{ code: 'network', severity: 'error', message }],
    });
    expect(report.problems.first[0]?.message).toBe(`${'a'.repeat(498)}…`);
  });

  it('is "failed" only without a plan, and "refused" only with errors', () => {
    const done = givenPlan({ hosts: [{ id: 1, name: 'A' }], entries: [{ id: 1, name: 'A' }] });
    const blocked = { ...done, applicable: false };
    const differs = givenPlan({ hosts: [{ id: 1, name: 'A' }], entries: [{ id: 1, name: 'B' }] });
    const outcomes = [undefined, blocked, differs, done].map((plan) => reportOf('berlin', plan).outcome);
    expect(outcomes).toEqual(['failed', 'refused', 'changes', 'no-changes']);
  });
});

it('sums what the plans of accounts change, and counts an account without a plan with its problems', () => {
  const plan = givenPlan({
    hosts: [
      { id: 1, name: 'A' },
      { id: 2, name: 'OLD' },
      { id: 3, name: 'C' },
    ],
    entries: [
      { id: 1, name: 'B' },
      { id: 2, ensure: 'absent' },
    ],
  });
  const { rename, delete: deletions, unmanaged } = plan.summary;
  const none = Object.fromEntries(Object.keys(sumAccounts([]).summary).map((key) => [key, 0]));
  const empty = {
    accounts: 0,
    outcomes: { failed: 0, refused: 0, changes: 0, 'no-changes': 0 },
    hosts: 0,
    summary: none,
    changed_hosts: 0,
    blocked: 0,
    calls: { planned: 0, minimum: 0 },
    problems: { error: 0, warning: 0, note: 0 },
  };
  expect(sumAccounts([])).toEqual(empty);
  const berlin = reportOf('berlin', plan);
  const rome: AccountReport = berlin.plan ? { ...berlin, plan: { ...berlin.plan, blocked: 2 } } : berlin;
  expect(berlin.plan).toMatchObject({ hosts: 3, changed_hosts: 1, calls: { planned: 2, minimum: 2 } });
  expect([rename, deletions, unmanaged]).toEqual([1, 1, 1]);
  expect(sumAccounts([berlin, rome, reportOf('munich')])).toEqual({
    ...empty,
    accounts: 3,
    outcomes: { ...empty.outcomes, failed: 1, changes: 2 },
    hosts: 6,
    summary: { ...none, rename: 2, delete: 2, unmanaged: 2 },
    changed_hosts: 2,
    blocked: 2,
    calls: { planned: 4, minimum: 4 },
    problems: { error: 1, warning: 0, note: 0 },
  });
});

it('sums accounts so that joining two lists adds their totals', () =>
  fc.assert(
    fc.property(arbitraryPlans, arbitraryPlans, (some, others) => {
      const reports = (plans: typeof some) => plans.map(([name, plan]) => reportOf(name, plan));
      const [a, b] = [sumAccounts(reports(some)), sumAccounts(reports(others))];
      const both = sumAccounts([...reports(some), ...reports(others)]);
      expect(both.accounts).toBe(a.accounts + b.accounts);
      expect(both.hosts).toBe(a.hosts + b.hosts);
      expect(both.calls.planned).toBe(a.calls.planned + b.calls.planned);
      for (const kind of ['rename', 'move', 'delete', 'unchanged'] as const) {
        expect(both.summary[kind]).toBe(a.summary[kind] + b.summary[kind]);
      }
      const { failed, refused, changes, 'no-changes': none } = both.outcomes;
      expect(failed + refused + changes + none).toBe(both.accounts);
    }),
    { numRuns: 20 },
  ));
