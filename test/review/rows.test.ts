import { describe, expect, it } from 'vitest';
import { toRows } from '../../src/review/rows.ts';
import { givenPlan } from '../given/plan.ts';

describe('rename components', () => {
  const shapes = [
    {
      name: 'one rename on its own',
      names: { 1: ['A', 'B'] },
      shapes: ['single'],
    },
    {
      name: 'a chain of three',
      names: { 1: ['A', 'B'], 2: ['B', 'C'], 3: ['C', 'D'] },
      shapes: ['chain'],
    },
    {
      name: 'a swap',
      names: { 1: ['A', 'B'], 2: ['B', 'A'] },
      shapes: ['swap'],
    },
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
    it(`tells ${each.name}`, () => {
      expect(componentsOf(each.names).map((component) => component.shape)).toEqual(each.shapes);
    });
  }

  it('shows a host that steps aside once, from its first name to its last', () => {
    const [swap] = componentsOf({ 1: ['A', 'B'], 2: ['B', 'A'] });
    expect(swap?.rows.map(({ from, to, aside }) => [from, to, aside])).toEqual([
      ['A', 'B', 'first'],
      ['B', 'A', 'no'],
    ]);
  });

  it('keeps the order in which the names change', () => {
    const [chain] = componentsOf({ 1: ['A', 'B'], 2: ['B', 'C'], 3: ['C', 'D'] });
    expect(chain?.rows.map((row) => row.to)).toEqual(['D', 'C', 'B']);
  });

  it('puts a doomed holder of a wanted name into the chain of the host that gets it', () => {
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
    expect(chain?.rows.map(({ hostId, aside }) => [hostId, aside])).toEqual([
      ['1', 'doomed'],
      ['2', 'no'],
    ]);
  });

  it('takes a chain of many thousands', () => {
    const count = 20_000;
    const names = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [index + 1, [`N${index}`, `N${index + 1}`] as const]),
    );
    const components = componentsOf(names);
    expect(components).toHaveLength(1);
    expect(components[0]?.rows).toHaveLength(count);
  });
});

it('gathers the batches of one target group under one heading', () => {
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

function componentsOf(names: Readonly<Record<string, readonly [string, string]>>) {
  const all = Object.entries(names);
  const plan = givenPlan({
    entries: all.map(([id, [, to]]) => ({ id, name: to })),
    hosts: all.map(([id, [from]]) => ({ id, name: from })),
  });
  return toRows(plan).renames;
}
