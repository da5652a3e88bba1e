import { foldName } from '../../core/model/host-name.ts';
import type { RenameComponent, RenameRow } from '../review/rename-rows.ts';

/** One name of a component, and the host that comes to it. */
export interface NameRow {
  readonly name: string | null;
  /** The column of its dot. */
  readonly lane: number;
  /** The row of the name that its host has before; absent if no host of the plan comes to it. */
  readonly from?: number;
  readonly host?: RenameRow;
  /** When that host gets the name, counted from 1. */
  readonly order?: number;
  /** The row of this same name, further up: here a cycle closes. */
  readonly again?: number;
}

/** A component as names one under another, each below the name that its host comes from. */
export interface RenameGraph {
  readonly rows: readonly NameRow[];
  /** Renames that are left out, as there are too many. */
  readonly hidden: number;
  /** Does it come back to the name in the first row? */
  readonly cyclic: boolean;
}

interface Visit {
  readonly key: string;
  readonly name: string | null;
  readonly edge?: { readonly from: number; readonly host: RenameRow; readonly first: boolean };
}

/** Walks from the name that nobody takes, or that of the host that temporary rename first, along the renames. */
export function renameGraph({ shape, rows: renames }: RenameComponent, mostRows: number): RenameGraph {
  const leaving = Map.groupBy(renames, keyOf);
  const order = new Map(renames.map((host, index) => [host, index + 1]));
  const rows: NameRow[] = [];
  const rowOf = new Map<string, number>();
  let lanes = 0;
  let drawn = 0;
  for (const start of starts(renames)) {
    const stack: Visit[] = [{ key: keyOf(start), name: start.from }];
    while (stack.length > 0 && rows.length < mostRows) {
      const { key, name, edge } = stack.pop() as Visit;
      const again = rowOf.get(key);
      if (edge === undefined && again !== undefined) continue;
      const lane = edge?.first === true ? (rows[edge.from] as NameRow).lane : lanes++;
      const at = rows.length;
      rows.push({ name, lane, ...arrival(edge, order), ...(again === undefined ? {} : { again }) });
      if (edge !== undefined) drawn += 1;
      if (again !== undefined) continue;
      rowOf.set(key, at);
      const next = (leaving.get(key) ?? []).map((host, index) => ({
        key: foldName(host.to),
        name: host.to,
        edge: { from: at, host, first: index === 0 },
      }));
      stack.push(...next.reverse());
    }
  }
  return { rows, hidden: renames.length - drawn, cyclic: shape === 'swap' || shape === 'cycle' };
}

function arrival(edge: Visit['edge'], order: ReadonlyMap<RenameRow, number>): Partial<NameRow> {
  if (edge === undefined) return {};
  return { from: edge.from, host: edge.host, order: order.get(edge.host) ?? 0 };
}

/** Where walks begin: names that nobody takes, then, for what a cycle leaves unseen, each in order. */
function starts(renames: readonly RenameRow[]): readonly RenameRow[] {
  const taken = new Set(renames.map((host) => foldName(host.to)));
  return [...renames.filter((host) => !taken.has(keyOf(host))), ...renames];
}

/** Names that the service may take for one are one; a host without a name is alone. */
function keyOf({ from, hostId }: RenameRow): string {
  return from === null ? `\u0000${hostId}` : foldName(from);
}
