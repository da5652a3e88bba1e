import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stronglyConnectedComponents } from '../../../src/core/lib/strongly-connected-components.ts';

type Edges = Readonly<Record<string, readonly string[]>>;

function ringsOf(edges: Edges): readonly string[] {
  return stronglyConnectedComponents(Object.keys(edges), (node) => edges[node] ?? []).map((cycle) =>
    cycle.join(' '),
  );
}

describe('the strongly connected components of a graph', () => {
  test.each<[string, Edges, readonly string[]]>([
    ['none in a chain', { a: ['b'], b: ['c'], c: [] }, []],
    ['none where a node leads to itself', { a: ['a'] }, []],
    ['a pair', { a: ['b'], b: ['a'] }, ['a b']],
    [
      'three, and not what leads to them or from them',
      { x: ['a'], a: ['b'], b: ['c'], c: ['a', 'y'], y: [] },
      ['a b c'],
    ],
    ['two that touch are one', { a: ['b'], b: ['a', 'c'], c: ['b'] }, ['a b c']],
    [
      'two that only follow each other stay two',
      { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] },
      ['a b', 'c d'],
    ],
  ])('%s', (_, edges, expected) => {
    expect(ringsOf(edges)).toEqual(expected);
  });

  test('of any size do not exhaust the stack', () => {
    const nodes = Array.from({ length: 50_000 }, (_, index) => index);
    expect(
      stronglyConnectedComponents(nodes, (node) => [(node + 1) % nodes.length]).map((cycle) => cycle.length),
    ).toEqual([50_000]);
  });

  test('contain exactly the nodes that can reach each other', () => {
    const graph = fc.array(fc.array(fc.nat(7), { maxLength: 3 }), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(graph, (edges) => {
        const nodes = edges.map((_, index) => index);
        const reach = nodes.map((node) => reachable(node, edges));
        const expected = nodes.filter((node) =>
          nodes.some((other) => other !== node && reach[node]?.has(other) && reach[other]?.has(node)),
        );
        const cycles = stronglyConnectedComponents(nodes, (node) => edges[node] ?? []);
        expect(new Set(cycles.flat())).toEqual(new Set(expected));
        for (const cycle of cycles)
          for (const node of cycle)
            for (const other of cycle) expect(reach[node]?.has(other) || node === other).toBe(true);
      }),
    );
  });
});

function reachable(from: number, edges: readonly (readonly number[])[]): ReadonlySet<number> {
  const seen = new Set<number>();
  const open = [...(edges[from] ?? [])];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    open.push(...(edges[node] ?? []));
  }
  return seen;
}
