import type { ChainRename, PlanDetail } from '../../../api/plans.ts';
import { type NameRow, type RenameGraph, renameGraph } from '../../../output/review/rename-graph.ts';

export type Chain = PlanDetail['chains'][number];

/** A rename as the graph of the HTML report reads it. */
export interface DrawnRename {
  readonly hostId: string;
  readonly from: string | null;
  readonly to: string;
  readonly temporaryRename: ChainRename['temporary'];
}

/** A chain or cycle with its graph. Null without renames: only its names are known. */
export interface DrawnChain {
  readonly title: 'Chain' | 'Swap' | 'Cycle';
  readonly names: readonly string[];
  readonly graph: RenameGraph<DrawnRename> | null;
}

const mostRows = 12;

/** The same graph that the HTML report draws, from the shapes of the API. */
export function drawnChain({ is_ring: isRing, names, renames }: Chain): DrawnChain {
  const rows = (renames ?? []).map(({ host_id, from, to, temporary }) => ({
    hostId: host_id,
    from,
    to,
    temporaryRename: temporary,
  }));
  const hosts = rows.length === 0 ? names.length : rows.length;
  const shape = !isRing ? 'chain' : hosts === 2 ? 'swap' : 'cycle';
  return {
    title: !isRing ? 'Chain' : hosts === 2 ? 'Swap' : 'Cycle',
    names,
    graph: rows.length === 0 ? null : renameGraph({ shape, rows }, mostRows),
  };
}

/** What a row of the drawing says beside its name. */
export function rowText(row: NameRow<DrawnRename>, { rows, cyclic }: RenameGraph<DrawnRename>): string {
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
