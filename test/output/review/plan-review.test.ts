import { describe, expect, it } from 'vitest';
import { reportAccount } from '../../../src/accounts/plans/report-account.ts';
import { countIrreversible } from '../../../src/core/model/policy.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { undoDesired } from '../../../src/core/plan/undo/undo-desired.ts';
import { fromPageData, toPageData } from '../../../src/output/page/page-data.ts';
import { causesWithHosts } from '../../../src/output/review/causes.ts';
import { plainColor } from '../../../src/output/review/color.ts';
import { paintMarkdown } from '../../../src/output/review/markdown.ts';
import { toPlanReview } from '../../../src/output/review/plan-review.ts';
import { planDifference } from '../../../src/output/review/planned-hosts.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { paintPlan } from '../../../src/output/review/terminal.ts';
import { at, givenFleet, hostId } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';
import { cyclicPlan, emptyPlan, largePlan, refusedPlan, richPlan } from '../../given/report-plans.ts';
import { moveStep, renameStep } from '../../given/steps.ts';

const account = { name: 'lisbon', company_id: '1', service: 'https://remote.example.com', labels: {} };

describe('the review of a plan for the console', () => {
  const review = toPlanReview(richPlan());
  const hostOf = (id: string) => review.hosts.find(({ host_id }) => host_id === id);

  it('shows no line for the changes of an undo, because a run has no lines', () => {
    const run = 'run 20261121T090000Z-3f9a1c';
    const observed = givenFleet([
      { id: 1, name: 'NEW-1' },
      { id: 2, name: 'NEW-2' },
    ]);
    const histories = [1, 2].map((id) => ({
      hostId: hostId(id),
      names: [`OLD-${id}`, `NEW-${id}`],
      groups: [],
      irreversible: [],
    }));
    const { desired } = undoDesired('20261121T090000Z-3f9a1c', histories, observed);
    const plan = makePlan({ desired, observed, account: { companyId: '1', service: 'x' }, now: at });
    const { hosts, causes } = toPlanReview(plan);
    expect(hosts.map(({ place, reason }) => [place, reason])).toEqual([
      [{ file: run }, run],
      [{ file: run }, run],
    ]);
    expect(causes).toEqual([{ title: run, place: { file: run }, hosts: 2 }]);
    const rows = toRows(plan);
    for (const text of [
      paintPlan(rows, { color: plainColor, columns: null }),
      paintMarkdown(rows, { limit: 60_000 }),
    ]) {
      expect(text).toContain(run);
      expect(text).not.toMatch(/line \d|3f9a1c:\d/);
    }
  });

  it('has one row for each host, with everything that happens to it, in the order of ids', () => {
    expect(hostOf('108')).toMatchObject({
      name: 'DESKTOP-8F3K2',
      new_name: 'LIS-RECEPTION',
      group: 'no group',
      new_group: 'Lisbon',
      action: ['install', 'rename', 'move'],
    });
    expect(hostOf('109')).toMatchObject({ action: ['delete'], new_name: null, new_group: null });
    const ids = review.hosts.map(({ host_id }) => host_id);
    expect(ids.at(0)).toBe('101');
    expect(ids.at(-1)).toBe('9007199254740991');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('counts each host of a cause once, however many changes the cause requests', () => {
    const { hosts: many, causes: merged } = toPlanReview(largePlan(300));
    expect(merged.reduce((sum, { hosts }) => sum + hosts, 0)).toBe(many.length);
    const steps = [renameStep('s1', { id: 1 }, 'NEW-1'), moveStep('s2', [1, 2], 7)];
    const [cause, ...others] = causesWithHosts({ ...emptyPlan(), steps });
    expect(others).toEqual([]);
    expect(cause).toMatchObject({ changes: { rename: 1, move: 2 }, hosts: 2 });
  });

  it('has every host of a step in the plan, and the report has the same hosts as the console', () => {
    for (const plan of [richPlan(), refusedPlan(), cyclicPlan(), largePlan(300)]) {
      const named = plan.steps.flatMap((step) =>
        'hosts' in step ? step.hosts.map((each) => each.hostId) : [step.hostId],
      );
      const shown = toPlanReview(plan);
      const { hosts } = shown;
      expect(new Set(hosts.map(({ host_id }) => host_id))).toEqual(new Set(named));
      const inReport = fromPageData(toPageData(shown)).hosts;
      expect(
        inReport.map(({ host_id, new_name, group, online }) => [host_id, new_name, group, online]),
      ).toEqual(hosts.map(({ host_id, new_name, group, online }) => [host_id, new_name, group, online]));
    }
  });

  it('lists changes that may be mistakes, deletions of hosts that are online first', () => {
    expect(review.irreversible[0]).toMatchObject({ host_id: '109', action: ['delete'], online: 'online' });
    expect(review.unusual.length).toBeGreaterThan(0);
    for (const { action, remarks } of review.unusual) {
      expect(action).not.toContain('delete');
      expect(remarks.length).toBeGreaterThan(0);
    }
    expect(hostOf('101')).toMatchObject({
      order: 'swap 1: 1 of 2',
      remarks: ['swaps names with another host'],
    });
  });

  it('connects problems with hosts, and shows the lines that they are about', () => {
    const at = review.problems.findIndex(({ code }) => code === 'policy-warning');
    expect(hostOf('109')?.problems).toEqual([at]);
    expect(review.problems[at]?.excerpt).toMatch(/fleet\.yaml:9:7\n[^]*9 \|[^]*\^{4}/);
    expect(hostOf('101')?.problems).toEqual([]);
  });

  it("counts the hosts with changes that can't be undone", () => {
    expect(review.irreversible.map(({ host_id }) => host_id)).toEqual(['109', '106', '108']);
    expect(review.verdict).toMatch(/3 hosts have changes that can't be undone\.$/);
  });

  it("agrees with the counts of the plan on what can't be undone: a first name takes nothing away", () => {
    const plan = givenPlan({
      entries: [
        { id: 1, name: 'FIRST' },
        { id: 2, ensure: 'absent' },
        { id: 3, antivirus: true },
        { id: 4, name: 'OTHER' },
      ],
      hosts: [
        { id: 1, name: null },
        { id: 2, name: 'B' },
        { id: 3, name: 'C', antivirus: 'missing' },
        { id: 4, name: 'D' },
      ],
    });
    const { irreversible, unusual } = toPlanReview(plan);
    expect(irreversible.map(({ host_id }) => host_id)).toEqual(['2', '3']);
    expect(countIrreversible(plan.summary)).toBe(irreversible.length);
    expect(unusual.find(({ host_id }) => host_id === '1')?.remarks).toContain('no previous name');
    const report = reportAccount({ account, exitCode: 0, plan, problems: [] });
    expect([report.plan?.irreversible, report.plan?.changes]).toMatchObject([
      { count: 2, first: [{ host_id: '2' }, { host_id: '3' }] },
      { count: 2, first: [{ host_id: '1' }, { host_id: '4' }] },
    ]);
  });

  it.each([
    ['no previous name', () => null],
    ['letter case only', (index: number) => `pc-${index}`],
  ] as const)(
    'a remark such as "%s" is no reason to look at more hosts than a reviewer can',
    (remark, before) => {
      const unusualOf = (count: number) => {
        const ids = Array.from({ length: count }, (_, index) => index + 1);
        const plan = givenPlan({
          entries: ids.map((id) => ({ id, name: `PC-${id}` })),
          hosts: ids.map((id) => ({ id, name: before(id) })),
        });
        return toPlanReview(plan).unusual;
      };
      expect(unusualOf(25).filter(({ remarks }) => remarks.includes(remark))).toHaveLength(25);
      expect(unusualOf(26)).toEqual([]);
    },
  );

  it('names each of 13 swaps as long as other changes are the rule, and none if all hosts swap names', () => {
    const swapped = Array.from({ length: 26 }, (_, index) => index + 1);
    const others = Array.from({ length: 1_000 }, (_, index) => index + 101);
    const marked = (more: readonly number[]) => {
      const plan = givenPlan({
        entries: [
          ...swapped.map((id) => ({ id, name: `SRV-${id % 2 === 0 ? id - 1 : id + 1}` })),
          ...more.map((id) => ({ id, name: `BER-${id}` })),
        ],
        hosts: [
          ...swapped.map((id) => ({ id, name: `SRV-${id}` })),
          ...more.map((id) => ({ id, name: `PC-${id}` })),
        ],
      });
      return toPlanReview(plan).unusual.map(({ remarks }) => remarks);
    };
    expect(marked(others)).toEqual(swapped.map(() => ['swaps names with another host']));
    expect(marked([])).toEqual([]);
  });

  it('says that errors block the plan, and that an empty plan changes nothing', () => {
    expect(toPlanReview(refusedPlan()).verdict).toMatch(/^This plan can't be applied: \d errors?\.$/);
    expect(toPlanReview(emptyPlan())).toMatchObject({
      verdict: 'No changes: the fleet matches the desired state.',
      hosts: [],
      chains: [],
      seconds: null,
    });
  });

  it('shows cycles of renames with the hosts that get a temporary name', () => {
    const [ring] = toPlanReview(cyclicPlan()).chains;
    expect(ring).toMatchObject({ is_ring: true, hosts: 300 });
    expect(ring?.renames).toHaveLength(300);
  });

  it('counts all hosts of a chain whose renames are too many to show', () => {
    const [chain] = toPlanReview(cyclicPlan(700)).chains;
    expect([chain?.hosts, chain?.renames.length]).toEqual([700, 500]);
  });

  it('says how many chains it leaves out', () => {
    const names = Array.from({ length: 240 }, (_, n) => `HOST-${n}`);
    const entries = names.map((_, n) => ({ id: n + 1, name: `HOST-${n % 2 === 0 ? n + 1 : n - 1}` }));
    const { chains, more } = toPlanReview(
      givenPlan({ entries, hosts: names.map((name, n) => ({ id: n + 1, name })) }),
    );
    expect([chains.length, more]).toEqual([100, { problems: 0, chains: 20 }]);
    expect(review.more).toEqual({ problems: 0, chains: 0 });
  });

  it('counts calls by kind as the plan does', () => {
    const plan = richPlan();
    const calls = toPlanReview(plan).calls_by_kind.reduce((sum, each) => sum + each.calls, 0);
    expect(calls).toBe(plan.calls.planned);
  });

  it('compares the changes with those of an earlier plan', () => {
    const { hosts } = toPlanReview(largePlan(100));
    const smaller = toPlanReview(largePlan(40)).hosts;
    expect(planDifference(hosts, hosts)).toEqual({ added: 0, removed: 0, same: hosts.length });
    const { added, removed, same } = planDifference(hosts, smaller);
    expect([added, removed, same]).toEqual([60, 0, 40]);
  });
});
