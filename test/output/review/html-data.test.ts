import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Filter, matching, toEntries } from '../../../src/output/page/browser/filter.ts';
import { sorted } from '../../../src/output/page/browser/sort.ts';
import { groupNames } from '../../../src/output/page/groups.ts';
import { toPageData } from '../../../src/output/page/page-changes.ts';
import { groupChanges } from '../../../src/output/review/group-changes.ts';
import { renameGraph } from '../../../src/output/review/rename-graph.ts';
import type { RenameComponent } from '../../../src/output/review/rename-rows.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { givenPlan } from '../../given/plan.ts';
import { cyclicPlan, largePlan, richPlan } from '../../given/report-plans.ts';

describe('the rows of the table', () => {
  it("are what can't be undone, then renames by component, then moves", () => {
    const { changes } = toPageData(toRows(richPlan()));
    const kinds = changes.map((each) => each.kind);
    expect(kinds.slice(0, 3)).toEqual(['delete', 'delete', 'antivirus']);
    expect(kinds.slice(-5)).toEqual(['move', 'move', 'move', 'move', 'move']);
    expect(changes.find((each) => each.kind === 'temporary-rename')).toMatchObject({
      id: '106',
      order: 'chain 2: 1 of 2',
    });
  });

  it('say where a host is, where it goes, which problems are about it and what asks for it', () => {
    const { changes, groups, problems } = toPageData(toRows(richPlan()));
    expect(changes.find((each) => each.kind === 'move' && each.id === '110')).toMatchObject({
      group: '18',
      target: '-1',
      file: 'fleet.yaml',
      line: 10,
    });
    expect(groups).toMatchObject({ '-1': 'no group', 17: 'Berlin', 18: 'Lisbon' });
    const [number = -1] = changes.find((each) => each.id === '109')?.problems ?? [];
    expect(problems[number]).toBe('policy-warning');
  });
});

describe('searching and filtering', () => {
  const data = toPageData(toRows(richPlan()));
  const entries = toEntries(data);
  const none: Filter = { query: '', kinds: new Set(), group: '', remark: '', problem: '' };
  const ids = (filter: Partial<Filter>) =>
    matching(entries, { ...none, ...filter }, data.problems).map(
      ({ change }) => `${change.kind} ${change.id}`,
    );

  it.each([
    ['nothing finds all', {}, 23],
    ['words in any order and case', { query: ' FLEET.yaml:9  old' }, 1],
    ['the name of the group it goes to', { query: 'lisbon' }, 4],
    ['kinds together', { kinds: new Set(['delete', 'antivirus']) }, 3],
    ['a group before or after', { group: '18' }, 4],
    ['a hazard', { remark: 'temporary-rename' }, 2],
    ['any problem', { problem: '*' }, 1],
    ['a problem nobody has', { problem: 'name-conflict' }, 0],
  ] as const)('%s', (_what, filter, found) => {
    expect(ids(filter)).toHaveLength(found);
  });

  it('sorting keeps every row, and up is the reverse of down if no two are equal', () => {
    const large = toPageData(toRows(largePlan(200)));
    const all = toEntries(large);
    fc.assert(
      fc.property(fc.constantFrom('kind', 'host', 'id', 'group', 'change', 'remark', 'source'), (key) => {
        const up = sorted(all, { key, direction: 'ascending' }, large.groups);
        expect(new Set(up)).toEqual(new Set(all));
        const down = sorted(all, { key, direction: 'descending' }, large.groups);
        if (key === 'id') expect(down).toEqual(up.toReversed());
      }),
    );
  });
});

describe('groups before and after', () => {
  const rows = toRows(richPlan());
  const names = groupNames(rows);
  const changes = groupChanges(rows).map((each) => ({ ...each, name: names[each.groupId] }));
  const of = (id: string) => changes.find((each) => each.groupId === id);

  it('count all their hosts, and have names whether or not hosts go there', () => {
    expect(of('18')).toMatchObject({ before: 1, after: 3, name: 'Lisbon' });
    expect(of('17')).toMatchObject({ before: 7, after: 4, name: 'Berlin' });
    expect(of('19')).toMatchObject({ before: 8, after: 8, name: 'Munich build farm' });
    expect(of('-1')).toMatchObject({ before: 3, after: 2, name: 'no group' });
  });

  it('lose and gain as many hosts together as are deleted', () => {
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

  it('takes names that differ in letter case for one', () => {
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
