import { foldName } from '../../core/model/host-name.ts';
import type { RenameComponent, RenameRow } from './rename-rows.ts';

/** What the graph needs of a rename. */
export type NameChange = Pick<RenameRow, 'from' | 'to' | 'temporaryRename'> & { readonly hostId: string };

/** One name of a component, and the host that gets it. */
export interface NameRow {
  readonly name: string | null;
  /** The column of its dot. */
  readonly lane: number;
  /** The row of the host's previous name; absent if no host of the plan gets this name. */
  readonly from?: number;
  readonly host?: NameChange;
  /** The position of that rename in the order, from 1. */
  readonly order?: number;
  /** The row further up with this same name, which closes a cycle. */
  readonly again?: number;
}

/** A component as a list of names, each below the previous name of its host. */
export interface RenameGraph {
  readonly rows: readonly NameRow[];
  /** Renames that are left out because there are too many. */
  readonly hidden: number;
  /** Does it return to the name in the first row? */
  readonly cyclic: boolean;
}

interface Visit {
  readonly key: string;
  readonly name: string | null;
  readonly edge?: { readonly from: number; readonly host: NameChange; readonly first: boolean };
}

/** Follows the renames from the name that nobody takes, or from that of the host with the temporary rename. */
export function renameGraph(
  {
    shape,
    rows: renames,
  }: { readonly shape: RenameComponent['shape']; readonly rows: readonly NameChange[] },
  mostRows: number,
): RenameGraph {
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

function arrival(edge: Visit['edge'], order: ReadonlyMap<NameChange, number>): Partial<NameRow> {
  if (edge === undefined) return {};
  return { from: edge.from, host: edge.host, order: order.get(edge.host) ?? 0 };
}

/** The start names: those that nobody takes, then one for each cycle that these leave out, each in order. */
function starts(renames: readonly NameChange[]): readonly NameChange[] {
  const taken = new Set(renames.map((host) => foldName(host.to)));
  return [...renames.filter((host) => !taken.has(keyOf(host))), ...renames];
}

/** Names that the service may treat as equal have one key; a host without a name has its own key. */
function keyOf({ from, hostId }: NameChange): string {
  return from === null ? `\u0000${hostId}` : foldName(from);
}
