import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeGroup } from '../../../src/core/plan/intents/groups.ts';
import { type Filter, matchingHosts, noFilter } from '../../../src/output/page/browser/filter.ts';
import { sortable, sorted } from '../../../src/output/page/browser/sort.ts';
import { groupChanges } from '../../../src/output/review/group-changes.ts';
import { toPlanReview } from '../../../src/output/review/plan-review.ts';
import { renameGraph } from '../../../src/output/review/rename-graph.ts';
import type { RenameComponent } from '../../../src/output/review/rename-rows.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { givenPlan } from '../../given/plan.ts';
import { cyclicPlan, largePlan, richPlan } from '../../given/report-plans.ts';

describe('searching and filtering', () => {
  const { hosts } = toPlanReview(richPlan());
  const found = (filter: Partial<Filter>) =>
    matchingHosts(hosts, { ...noFilter, ...filter }).map(({ host_id }) => host_id);

  it.each([
    ['nothing finds all', {}, 17],
    ['words in any order and case', { query: ' FLEET.yaml:9  old' }, 1],
    ['the name of the group it goes to', { query: 'lisbon' }, 4],
    ['its position in a cycle', { query: 'cycle 1:' }, 5],
    ['part of a name and of a new name', { query: 'ring-3' }, 2],
    ['a kind of change', { action: 'move' }, 5],
    ["what can't be undone", { action: 'irreversible' }, 3],
    ['a group before or after', { group: 'Lisbon' }, 4],
    ['a remark', { remark: 'swaps names with another host' }, 2],
    ['any remark on a change that can be undone', { remark: 'unusual' }, 9],
    ['a problem', { remark: 'problem' }, 1],
    ['all of them at once', { query: 'old', action: 'delete', group: 'Lisbon' }, 0],
  ] as const)('%s', (_what, filter, count) => expect(found(filter)).toHaveLength(count));

  it('sorting keeps every row, and up is the reverse of down if no two are equal', () => {
    const { hosts: many } = toPlanReview(largePlan(200));
    fc.assert(
      fc.property(fc.constantFrom(...sortable), (column) => {
        const up = sorted(many, column);
        expect(new Set(up)).toEqual(new Set(many));
        const down = sorted(many, `-${column}`);
        if (column === 'host') expect(down).toEqual(up.toReversed());
      }),
    );
    expect(sorted(many, '')).toEqual(many);
    expect(
      sorted(many, 'host')
        .map(({ name }) => name)
        .slice(0, 3),
    ).toEqual(['HOST-1', 'HOST-2', 'HOST-3']);
  });
});

describe('groups before and after', () => {
  const rows = toRows(richPlan());
  const names = new Map<string, string | null>(rows.plan.groups.map(({ id, name }) => [id, name]));
  const changes = groupChanges(rows.plan).map((each) => ({
    ...each,
    name: describeGroup({ id: each.groupId, name: names.get(each.groupId) ?? null }, String),
  }));
  const of = (id: string) => changes.find((each) => each.groupId === id);

  it('count all their hosts, and have names whether or not hosts move there', () => {
    expect(of('18')).toMatchObject({ before: 1, after: 3, name: 'Lisbon' });
    expect(of('17')).toMatchObject({ before: 7, after: 4, name: 'Berlin' });
    expect(of('19')).toMatchObject({ before: 8, after: 8, name: 'Munich build farm' });
    expect(of('-1')).toMatchObject({ before: 3, after: 2, name: 'no group' });
  });

  it('together lose exactly as many hosts as they gain and as are deleted', () => {
    const sum = (what: 'before' | 'after') => changes.reduce((total, each) => total + each[what], 0);
    expect(sum('before') - sum('after')).toBe(2);
  });
});

describe('the drawing of a component', () => {
  const graphOf = (names: Readonly<Record<number, readonly [string, string]>>, mostRows = 12) =>
    renameGraph(componentOf(names), mostRows);

  it('follows a chain from the name that becomes free', () => {
    const { rows } = graphOf({ 1: ['A', 'B'], 2: ['B', 'C'], 3: ['C', 'D'] });
    expect(rows.map(({ name, order, lane }) => [name, order, lane])).toEqual([
      ['A', undefined, 0],
      ['B', 3, 0],
      ['C', 2, 0],
      ['D', 1, 0],
    ]);
  });

  it('closes a cycle at the name of the host with the temporary rename', () => {
    const { rows, cyclic } = graphOf({ 1: ['A', 'B'], 2: ['B', 'C'], 3: ['C', 'A'] });
    expect(cyclic).toBe(true);
    expect(rows.map(({ name, again }) => [name, again])).toEqual([
      ['A', undefined],
      ['B', undefined],
      ['C', undefined],
      ['A', 0],
    ]);
  });

  it('gives each branch a lane of its own', () => {
    const { rows } = graphOf({ 1: ['X', 'A'], 2: ['X', 'B'], 3: ['Y', 'X'] });
    expect(rows.map(({ name, lane, from }) => [name, lane, from])).toEqual([
      ['Y', 0, undefined],
      ['X', 0, 0],
      ['A', 0, 1],
      ['B', 1, 1],
    ]);
  });

  it('treats names that differ only in letter case as one', () => {
    const { rows } = graphOf({ 1: ['a', 'b'], 2: ['B', 'C'] });
    expect(rows.map((row) => row.name)).toEqual(['a', 'b', 'C']);
  });

  it('shows or counts every rename, however many rows it may have', () => {
    const components = toRows(cyclicPlan()).renames;
    fc.assert(
      fc.property(fc.constantFrom(...components), fc.integer({ min: 2, max: 400 }), (component, most) => {
        const { rows, hidden } = renameGraph(component, most);
        expect(rows.length).toBeLessThanOrEqual(most);
        expect(rows.filter((row) => row.host !== undefined).length + hidden).toBe(component.rows.length);
      }),
    );
  });
});

function componentOf(names: Readonly<Record<number, readonly [string, string]>>): RenameComponent {
  const pairs = Object.entries(names);
  const plan = givenPlan({
    entries: pairs.map(([id, [, to]]) => ({ id, name: to })),
    hosts: pairs.map(([id, [from]]) => ({ id, name: from })),
  });
  const [component, ...others] = toRows(plan).renames;
  if (component === undefined || others.length > 0) throw new Error('these renames are not one component');
  return component;
}
