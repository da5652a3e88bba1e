import type { PlanReview } from '../review/plan-review.ts';
import { type NameRow, type RenameGraph, renameGraph } from '../review/rename-graph.ts';

/** A chain or cycle with its graph. */
interface DrawnChain {
  readonly title: 'Chain' | 'Swap' | 'Cycle';
  readonly graph: RenameGraph;
}

const mostRows = 12;

/** The graph of a chain or cycle. */
export function drawnChain({ is_ring: isRing, hosts, renames }: PlanReview['chains'][number]): DrawnChain {
  const rows = renames.map(({ host_id, from, to, temporary }) => ({
    hostId: host_id,
    from,
    to,
    temporaryRename: temporary,
  }));
  const shape = !isRing ? 'chain' : hosts === 2 ? 'swap' : 'cycle';
  const graph = renameGraph({ shape, rows }, mostRows);
  return {
    title: !isRing ? 'Chain' : hosts === 2 ? 'Swap' : 'Cycle',
    graph: { ...graph, hidden: graph.hidden + hosts - rows.length },
  };
}

/** The remark of a row in the drawing, next to its name. */
export function rowText(row: NameRow, { rows, cyclic }: RenameGraph): string {
  const { host, order, again } = row;
  if (host === undefined) return cyclic && row === rows[0] ? 'the cycle starts here' : 'becomes free';
  const remark =
    host.temporaryRename === 'first'
      ? ', temporary rename first'
      : host.temporaryRename === 'deletion'
        ? ', temporary rename, then deleted'
        : '';
  return `step ${order}: host ${host.hostId}${remark}${again === undefined ? '' : ', which closes the cycle'}`;
}
