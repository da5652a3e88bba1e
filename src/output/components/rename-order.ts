import { type NameRow, type RenameGraph, renameGraph } from '../review/rename-graph.ts';
import type { TemporaryRename } from '../review/rename-rows.ts';

/** Renames that wait for one another, in the order of the calls. */
export interface Chain {
  readonly is_ring: boolean;
  readonly names: readonly string[];
  readonly renames?:
    | readonly {
        readonly host_id: string;
        readonly from: string | null;
        readonly to: string;
        readonly temporary: TemporaryRename;
      }[]
    | undefined;
}

/** A chain or cycle with its graph. Null without renames: only its names are known. */
export interface DrawnChain {
  readonly title: 'Chain' | 'Swap' | 'Cycle';
  readonly names: readonly string[];
  readonly graph: RenameGraph | null;
}

const mostRows = 12;

/** The graph of a chain or cycle. */
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
