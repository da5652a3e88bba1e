import { describe, expect, it } from 'vitest';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { undoDesired } from '../../../src/core/plan/undo/undo-desired.ts';
import { groupNames } from '../../../src/output/page/groups.ts';
import { toPageData } from '../../../src/output/page/page-changes.ts';
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

describe('the review of a plan for the console', () => {
  const review = toPlanReview(richPlan());
  const hostOf = (id: string) => review.hosts.find(({ host_id }) => host_id === id);

  it('names no line for the changes of an undo, because a run has no lines', () => {
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
    expect(hosts.map(({ place, cause }) => [place, cause])).toEqual([
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

  it('counts each host of a cause once, however many changes the cause asks of it', () => {
    const { hosts: many, causes: merged } = toPlanReview(largePlan(300));
    expect(merged.reduce((sum, { hosts }) => sum + hosts, 0)).toBe(many.length);
    const steps = [renameStep('s1', { id: 1 }, 'NEW-1'), moveStep('s2', [1, 2], 7)];
    const [cause, ...others] = causesWithHosts({ ...emptyPlan(), steps });
    expect(others).toEqual([]);
    expect(cause).toMatchObject({ changes: { rename: 1, move: 2 }, hosts: 2 });
  });

  it('covers the same hosts and groups as the HTML report', () => {
    for (const plan of [richPlan(), refusedPlan(), cyclicPlan(), largePlan(300)]) {
      const rows = toRows(plan);
      const { hosts, groups } = toPlanReview(plan);
      const reported = toPageData(rows).changes.map(({ id }) => id);
      expect(new Set(hosts.map(({ host_id }) => host_id))).toEqual(new Set(reported));
      const names = Object.values(groupNames(rows));
      for (const { name } of groups) expect(names).toContain(name);
    }
  });

  it("counts the hosts with changes that can't be undone", () => {
    expect(review.irreversible.map(({ host_id }) => host_id)).toEqual(['106', '108', '109']);
    expect(review.verdict).toMatch(/3 hosts have changes that can't be undone\.$/);
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
    expect(ring).toMatchObject({ is_ring: true, temporary: 1 });
    expect(ring?.renames).toHaveLength(300);
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
