/**
 * The strongly connected components with at least two nodes of a directed graph, each in the order of `nodes`. An edge
 * from a node to itself does not count. Tarjan's algorithm, without recursion, in linear time.
 */
export function stronglyConnectedComponents<N>(
  nodes: readonly N[],
  next: (node: N) => readonly N[],
): readonly (readonly N[])[] {
  const order = new Map<N, number>();
  const low = new Map<N, number>();
  const open = new Set<N>();
  const pending: N[] = [];
  const component = new Map<N, number>();
  let components = 0;

  for (const root of nodes) {
    if (order.has(root)) continue;
    const path = [enter(root)];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const other = top.rest.pop();
      if (other === undefined) {
        path.pop();
        leave(top.node, path.at(-1)?.node);
      } else if (!order.has(other)) {
        path.push(enter(other));
      } else if (open.has(other)) {
        lower(top.node, order.get(other) as number);
      }
    }
  }

  const cycles = Map.groupBy(new Set(nodes), (node) => component.get(node));
  return [...cycles.values()].filter((cycle) => cycle.length > 1);

  function enter(node: N): { readonly node: N; readonly rest: N[] } {
    order.set(node, order.size);
    low.set(node, order.size - 1);
    open.add(node);
    pending.push(node);
    return { node, rest: [...next(node)] };
  }

  function leave(node: N, parent: N | undefined): void {
    if (parent !== undefined) lower(parent, low.get(node) as number);
    if (low.get(node) !== order.get(node)) return;
    for (
      let member = pending.pop();
      member !== undefined;
      member = member === node ? undefined : pending.pop()
    ) {
      open.delete(member);
      component.set(member, components);
    }
    components += 1;
  }

  function lower(node: N, value: number): void {
    if (value < (low.get(node) as number)) low.set(node, value);
  }
}
