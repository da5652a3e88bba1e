import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paintHtml } from '../../../src/output/page/html.ts';
import { plainColor } from '../../../src/output/review/color.ts';
import { paintMarkdown } from '../../../src/output/review/markdown.ts';
import { toPlanReview } from '../../../src/output/review/plan-review.ts';
import { componentTitle, renamesTitle } from '../../../src/output/review/rename-words.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { paintPlan } from '../../../src/output/review/terminal.ts';
import { givenGroups, reorganizations } from '../../given/arbitrary-fleet.ts';
import { givenPlan } from '../../given/plan.ts';

describe('rename components', () => {
  const shapes = [
    { name: 'one rename on its own', names: { 1: ['A', 'B'] }, shapes: ['single'] },
    { name: 'a chain of three', names: { 1: ['A', 'B'], 2: ['B', 'C'], 3: ['C', 'D'] }, shapes: ['chain'] },
    { name: 'a swap', names: { 1: ['A', 'B'], 2: ['B', 'A'] }, shapes: ['swap'] },
    {
      name: 'a cycle of three beside a chain of two',
      names: { 1: ['A', 'B'], 2: ['B', 'C'], 3: ['C', 'A'], 4: ['X', 'Y'], 5: ['Y', 'Z'] },
      shapes: ['cycle', 'chain'],
    },
    {
      name: 'two renames that have nothing to do with each other',
      names: { 1: ['A', 'B'], 2: ['X', 'Y'] },
      shapes: ['single', 'single'],
    },
  ] as const;

  for (const each of shapes) {
    it(`reports ${each.name}`, () =>
      expect(componentsOf(each.names).map((component) => component.shape)).toEqual(each.shapes));
  }

  it('shows a host with a temporary rename once, from its first name to its last', () => {
    const [swap] = componentsOf({ 1: ['A', 'B'], 2: ['B', 'A'] });
    expect(swap?.rows.map(({ from, to, temporaryRename }) => [from, to, temporaryRename])).toEqual([
      ['A', 'B', 'first'],
      ['B', 'A', 'no'],
    ]);
  });

  it('keeps the order in which the names change', () => {
    const [chain] = componentsOf({ 1: ['A', 'B'], 2: ['B', 'C'], 3: ['C', 'D'] });
    expect(chain?.rows.map((row) => row.to)).toEqual(['D', 'C', 'B']);
  });

  it('puts a host to be deleted into the chain of the host that gets its name', () => {
    const plan = givenPlan({
      entries: [
        { id: 1, ensure: 'absent' },
        { id: 2, name: 'KIOSK' },
      ],
      hosts: [
        { id: 1, name: 'KIOSK' },
        { id: 2, name: 'NEW' },
      ],
    });
    const [chain] = toRows(plan).renames;
    expect(chain?.shape).toBe('chain');
    expect(chain?.rows.map(({ hostId, temporaryRename }) => [hostId, temporaryRename])).toEqual([
      ['1', 'deletion'],
      ['2', 'no'],
    ]);
    expect(renamesTitle(toRows(plan))).toBe('Rename 1 host (plus 1 temporary rename before deletion)');
  });

  it('handles a chain of many thousands', () => {
    const count = 20_000;
    const names = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [index + 1, [`N${index}`, `N${index + 1}`] as const]),
    );
    const components = componentsOf(names);
    expect(components).toHaveLength(1);
    expect(components[0]?.rows).toHaveLength(count);
    expect(components.map(componentTitle)).toEqual(['chain of 20,000, in this order']);
  });
});

it('collects the batches of one target group under one heading', () => {
  const plan = givenPlan({
    entries: [1, 2, 3].map((id) => ({ id, group: 'Berlin' })),
    hosts: [1, 2, 3].map((id) => ({ id, name: `H${id}` })),
    groups: { 17: 'Berlin' },
    options: { batchSize: 2 },
  });
  expect(plan.steps).toHaveLength(2);
  expect(toRows(plan).moves.map(({ groupName, hosts }) => [groupName, hosts.length])).toEqual([
    ['Berlin', 3],
  ]);
});

it('shows the file of each change if a table or a sheet requests some', () => {
  const plan = givenPlan({ entries: [{ id: 1, name: 'B' }], hosts: [{ id: 1, name: 'A' }] });
  const elsewhere = plan.steps.map((step) =>
    step.kind === 'rename' ? { ...step, reason: { file: 'sheet.csv', line: 2, col: 1 } } : step,
  );
  const options = { color: plainColor, columns: null };
  expect(toRows(plan).inOneFile).toBe(true);
  expect(paintPlan(toRows({ ...plan, steps: elsewhere }), options)).toContain('sheet.csv:2');
  expect(paintMarkdown(toRows({ ...plan, steps: elsewhere }), { limit: 65_536 })).toContain('`sheet.csv:2`');
});

it('counts renames as the totals of the plan do, in all four renderers', () =>
  fc.assert(
    fc.property(reorganizations, ({ hosts, entries }) => {
      const plan = givenPlan({ entries, hosts, groups: givenGroups });
      const rows = toRows(plan);
      const { rename } = plan.summary;
      if (rename === 0) return;
      const title = `Rename ${rename} ${rename === 1 ? 'host' : 'hosts'}`;
      const titles = new RegExp(`(^|<summary>)${title}(?! ?[^ (\\n<]|\\d)`, 'm');
      expect(paintPlan(rows, { color: plainColor, columns: null })).toMatch(titles);
      const inMarkdown = plan.steps.every(({ kind }) => kind !== 'delete' && kind !== 'antivirus');
      if (inMarkdown)
        expect(paintMarkdown(rows, { limit: 65_536 })).toContain(
          `${rename} ${rename === 1 ? 'rename' : 'renames'}`,
        );
      expect(paintHtml(rows)).toContain(`<dt>Renames</dt><dd class="value">${rename}</dd>`);
      const ofReview = toPlanReview(plan).hosts.filter(({ action }) => action.includes('rename'));
      expect(ofReview).toHaveLength(rename);
    }),
    { numRuns: 50 },
  ));

function componentsOf(names: Readonly<Record<string, readonly [string, string]>>) {
  const all = Object.entries(names);
  const plan = givenPlan({
    entries: all.map(([id, [, to]]) => ({ id, name: to })),
    hosts: all.map(([id, [from]]) => ({ id, name: from })),
  });
  return toRows(plan).renames;
}
