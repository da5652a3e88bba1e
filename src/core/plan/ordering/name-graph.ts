import { once } from '../../lib/once.ts';
import { foldAlike, foldName } from '../../model/host-name.ts';
import type { HostId, ObservedHost } from '../../model/observed.ts';
import { sortedByHostId } from '../difference/compare-hosts.ts';

export interface Rename {
  readonly host: ObservedHost;
  readonly to: string;
}

/** A live host that keeps a name which a rename needs. */
export interface NameConflict {
  readonly rename: Rename;
  readonly owner: ObservedHost;
}

/** The owners of the names that renames need. */
export interface NameOwners {
  /** Live hosts whose name folds to this. */
  ownersOf(folded: string): readonly ObservedHost[];
  /** No live host has a name that a rename needs. */
  readonly isEachFree?: boolean;
  /** No two live hosts have names that fold alike: a host that gives up a name was its only owner. */
  readonly isOneEach?: boolean;
  isToBeDeleted(id: HostId): boolean;
}

/** A rename, linked with the renames that it waits for and that wait for it. */
export interface NameNode {
  readonly rename: Rename;
  /** The index among all renames in the order of host ids, once they are in an order. */
  place: number;
  /** Renames that must come first, because their hosts own the desired name. */
  before: readonly NameNode[];
  toDelete: readonly ObservedHost[];
  /** The one rename that waits for this host to leave its name. */
  next: NameNode | undefined;
  /** The start of the walk that first reached this node. */
  walk: NameNode | undefined;
  open: number;
  /** Is it in a component yet? */
  isCollected: boolean;
  /** Does it still need a position in the order? */
  isWaiting: boolean;
  /** The temporary name, once the host is renamed temporarily. */
  temporaryName: string | undefined;
}

const none: readonly never[] = [];

/** The renames, each linked with those that it waits for. Any other owner of a desired name is a name conflict. */
export function linkNames(
  renames: readonly Rename[],
  owners: NameOwners,
): { readonly nodes: readonly NameNode[]; readonly nameConflicts: readonly NameConflict[] } {
  const nodes = renames.map(toNode);
  return { nodes, nameConflicts: sortedByHostId(linkAll(nodes, owners), ({ rename }) => rename.host.id) };
}

function toNode(rename: Rename): NameNode {
  return {
    rename,
    place: 0,
    before: none,
    toDelete: none,
    next: undefined,
    walk: undefined,
    open: 0,
    isCollected: false,
    isWaiting: true,
    temporaryName: undefined,
  };
}

function linkAll(nodes: readonly NameNode[], owners: NameOwners): readonly NameConflict[] {
  const nameConflicts: NameConflict[] = [];
  if (owners.isEachFree === true) return nameConflicts;
  const byId = once(() => new Map(nodes.map((node) => [node.rename.host.id, node])));
  const leaving = owners.isOneEach === true ? nodes : [];
  const named = new Map<string | null, NameNode>();
  for (const node of leaving) named.set(node.rename.host.name, node);
  const folded = once(() => new Map(leaving.map((node) => [foldName(node.rename.host.name ?? ''), node])));
  for (const node of nodes) {
    const { rename } = node;
    const only = named.get(rename.to) ?? folded().get(foldName(rename.to));
    if (only !== undefined && only !== node) {
      waitFor(node, only);
      continue;
    }
    for (const owner of owners.ownersOf(foldName(rename.to))) {
      if (owner.id === rename.host.id) continue;
      const other = byId().get(owner.id);
      if (other !== undefined && !foldAlike(other.rename.to, rename.to)) waitFor(node, other);
      else if (owners.isToBeDeleted(owner.id)) node.toDelete = [...node.toDelete, owner];
      else nameConflicts.push({ rename, owner });
    }
  }
  return nameConflicts;
}

function waitFor(node: NameNode, other: NameNode): void {
  node.before = [...node.before, other];
  node.open += 1;
  other.next = node;
}

export function blockersOf(
  nameConflicts: readonly NameConflict[],
  components: readonly (readonly NameNode[])[],
): ReadonlySet<HostId> {
  const stuck = new Set(nameConflicts.map((conflict) => conflict.rename.host.id));
  const blocked = new Set<HostId>();
  for (const component of components) {
    if (!component.some((node) => stuck.has(node.rename.host.id))) continue;
    for (const node of component) blocked.add(node.rename.host.id);
  }
  return blocked;
}

/** At most one other host waits for each host, so a walk from one to the next either enters a cycle or ends. */
export function countCycles(nodes: readonly NameNode[]): number {
  let cycles = 0;
  for (const start of nodes) {
    let at: NameNode | undefined = start;
    for (; at !== undefined && at.walk === undefined; at = at.next) at.walk = start;
    if (at?.walk === start) cycles += 1;
  }
  return cycles;
}

export function collectComponents(nodes: readonly NameNode[]): readonly (readonly NameNode[])[] {
  const components: NameNode[][] = [];
  const inOrder = sortedByHostId(nodes, ({ rename }) => rename.host.id);
  for (const [place, node] of inOrder.entries()) node.place = place;
  for (const start of inOrder) {
    if (start.isCollected) continue;
    const component = [start];
    start.isCollected = true;
    for (const node of component) {
      for (const near of node.before) collect(near, component);
      if (node.next !== undefined) collect(node.next, component);
    }
    components.push(component.sort((a, b) => a.place - b.place));
  }
  return components.sort((a, b) => b.length - a.length);
}

function collect(node: NameNode, component: NameNode[]): void {
  if (node.isCollected) return;
  node.isCollected = true;
  component.push(node);
}
