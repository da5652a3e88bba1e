import type { HostId } from '../../model/host-id.ts';
import { foldName } from '../../model/host-name.ts';
import type { ObservedHost } from '../../model/observed.ts';
import { parkedName } from '../../model/parked-name.ts';
import { sortedByHostId } from '../difference/compare-hosts.ts';

/**
 * The order of renames. A host can take a name only when nobody holds it.
 *
 *     chain    A -> B -> C -> free          C first, then B, then A
 *     cycle    A -> B -> A                  A steps aside (parks), B takes A's name, A takes B's
 *     doomed   A -> the name of a host that is to be deleted: that host steps aside, as deletions come last
 *
 * Every wanted name has one claimant, so each host is waited for by at most one other. A component of the graph
 * is therefore a tree, whose leaves go first, or one cycle with trees: nothing waits for a cycle but itself.
 * Parks = cycles of length two or more + doomed holders of wanted names, and no order needs fewer.
 *
 * A long chain is bound by latency, one call after another. With `longest`, a host in the middle steps aside at
 * the start, for one call more, and what was one chain runs as two side by side:
 *
 *     A -> B -> C -> D -> free      B aside at once; then (D, C, B lands) beside (A takes B's name)
 */
export interface Rename {
  readonly host: ObservedHost;
  readonly to: string;
}

export interface OrderInputs {
  readonly renames: readonly Rename[];
  /** Live hosts whose name folds to this. */
  holdersOf(folded: string): readonly ObservedHost[];
  isDoomed(id: HostId): boolean;
  /** Folded names that no parked name may take, beside the live ones. */
  readonly planned: { has(folded: string): boolean };
  /** Deletions come first, so doomed holders need not step aside. */
  readonly deleteFirst: boolean;
  /** Cut chains so that no more renames than this wait for one another. */
  readonly longest?: number;
}

export type OrderedRename =
  | {
      readonly kind: 'rename';
      readonly host: ObservedHost;
      readonly from: string | null;
      readonly to: string;
      /** Hosts whose first step frees the name, or is this host's own step aside. */
      readonly waitsFor: readonly HostId[];
    }
  | {
      readonly kind: 'park';
      readonly why: ParkReason;
      readonly host: ObservedHost;
      readonly from: string;
      readonly to: string;
      readonly standsFor: string;
    };

/** To break a cycle, because the host is to be deleted, or to cut a chain in two. */
export type ParkReason = 'cycle' | 'doomed' | 'cut';

/** A live host that keeps a name which a rename wants. */
export interface Squat {
  readonly rename: Rename;
  readonly holder: ObservedHost;
}

export interface Ordering {
  /** Component by component, longest first; each in an order that can be carried out. */
  readonly steps: readonly OrderedRename[];
  readonly squats: readonly Squat[];
  /** Hosts whose rename can't happen because of a squatter somewhere in their component. */
  readonly blocked: ReadonlySet<HostId>;
  readonly cycles: number;
  readonly doomedHolders: readonly ObservedHost[];
  /** The number of renames in each component. */
  readonly components: readonly number[];
}

interface Node {
  readonly rename: Rename;
  /** The new name, folded. */
  readonly wanted: string;
  /** Among all renames, in the order of their hosts' ids. */
  readonly place: number;
  /** Renames that must come first, because their hosts hold the wanted name. */
  readonly before: Node[];
  readonly doomed: ObservedHost[];
  /** The one rename that waits for this host to leave its name. */
  next?: Node;
  open: number;
  /** How many renames run one after another up to this one. */
  depth: number;
  /** Is it in a component yet? */
  isCollected: boolean;
  /** Is it still to be put in an order? */
  isWaiting: boolean;
  /** The temporary name, once the host steps aside. */
  aside?: string;
}

export function orderRenames(inputs: OrderInputs): Ordering {
  const nodes = new Map<HostId, Node>();
  for (const rename of sortedByHostId(inputs.renames, ({ host }) => host.id)) {
    nodes.set(rename.host.id, {
      rename,
      wanted: foldName(rename.to),
      place: nodes.size,
      before: [],
      doomed: [],
      open: 0,
      depth: 0,
      isCollected: false,
      isWaiting: true,
    });
  }
  const squats: Squat[] = [];
  for (const node of nodes.values()) link(node, nodes, inputs, squats);

  const blocked = new Set<HostId>();
  const components = collectComponents(nodes);
  const stuck = new Set(squats.map((squat) => squat.rename.host.id));
  const steps: OrderedRename[] = [];
  const doomedHolders: ObservedHost[] = [];
  const taken = reserve(inputs);
  let cycles = 0;
  for (const component of components) {
    if (stuck.size > 0 && component.some((node) => stuck.has(node.rename.host.id))) {
      for (const node of component) blocked.add(node.rename.host.id);
      continue;
    }
    if (!inputs.deleteFirst) for (const node of component) doomedHolders.push(...node.doomed);
    if (orderComponent(component, inputs, taken, steps)) cycles += 1;
  }
  const sizes = components.map((component) => component.length);
  return { steps, squats, blocked, cycles, doomedHolders, components: sizes };
}

function link(node: Node, nodes: ReadonlyMap<HostId, Node>, inputs: OrderInputs, squats: Squat[]): void {
  const { rename, wanted } = node;
  for (const holder of inputs.holdersOf(wanted)) {
    if (holder.id === rename.host.id) continue;
    const other = nodes.get(holder.id);
    if (other !== undefined && other.wanted !== wanted) {
      node.before.push(other);
      node.open += 1;
      other.next = node;
    } else if (inputs.isDoomed(holder.id)) {
      node.doomed.push(holder);
    } else {
      squats.push({ rename, holder });
    }
  }
}

function collectComponents(nodes: ReadonlyMap<HostId, Node>): readonly (readonly Node[])[] {
  const components: Node[][] = [];
  for (const start of nodes.values()) {
    if (start.isCollected) continue;
    const component = [start];
    start.isCollected = true;
    for (const node of component) {
      for (const near of node.before) collect(near, component);
      if (node.next !== undefined) collect(node.next, component);
    }
    components.push(component.length === 1 ? component : component.sort((a, b) => a.place - b.place));
  }
  return components.sort((a, b) => b.length - a.length);
}

function collect(node: Node, component: Node[]): void {
  if (node.isCollected) return;
  node.isCollected = true;
  component.push(node);
}

/** Adds a component's steps; true when it held a cycle. */
function orderComponent(
  component: readonly Node[],
  inputs: OrderInputs,
  taken: Taken,
  steps: OrderedRename[],
): boolean {
  const [alone] = component;
  if (alone !== undefined && component.length === 1) {
    follow(alone, inputs, taken, steps);
    return false;
  }
  const sequence = drain(component.filter((node) => node.open === 0));
  const parks: OrderedRename[] = [];
  const first = component.find((node) => node.isWaiting);
  if (first !== undefined) {
    parks.push(stepAside(first, 'cycle', taken));
    const next = first.next as Node;
    next.open -= 1;
    for (const node of drain(next.open === 0 ? [next] : [])) sequence.push(node);
  }
  if (inputs.longest !== undefined) parks.push(...cut(sequence, inputs.longest, taken));

  for (const park of parks) steps.push(park);
  for (const node of sequence) follow(node, inputs, taken, steps);
  return first !== undefined;
}

/** Adds the rename behind the steps aside of those doomed hosts that hold its name. */
function follow(node: Node, inputs: OrderInputs, taken: Taken, steps: OrderedRename[]): void {
  if (!inputs.deleteFirst) for (const doomed of node.doomed) steps.push(parkDoomed(doomed, taken));
  steps.push(land(node));
}

/** The nodes that can be carried out, each after those it waits for. */
function drain(ready: Node[]): Node[] {
  for (const node of ready) {
    node.isWaiting = false;
    if (node.next?.isWaiting !== true) continue;
    node.next.open -= 1;
    if (node.next.open === 0) ready.push(node.next);
  }
  return ready;
}

function cut(sequence: readonly Node[], longest: number, taken: Taken): readonly OrderedRename[] {
  const parks: OrderedRename[] = [];
  for (const node of sequence) {
    node.depth = 1 + Math.max(0, ...node.before.map((each) => (each.aside === undefined ? each.depth : 1)));
    if (node.depth < longest || node.next === undefined || node.aside !== undefined) continue;
    parks.push(stepAside(node, 'cut', taken));
  }
  return parks;
}

function stepAside(node: Node, why: ParkReason, taken: Taken): OrderedRename {
  const { host, to } = node.rename;
  node.aside = parkedName('wanted', host.id, to, { taken });
  taken.add(node.aside);
  return { kind: 'park', why, host, from: host.name as string, to: node.aside, standsFor: to };
}

function land(node: Node): OrderedRename {
  const { host, to } = node.rename;
  const waitsFor = node.aside === undefined ? [] : [host.id];
  for (const each of node.before) waitsFor.push(each.rename.host.id);
  for (const each of node.doomed) waitsFor.push(each.id);
  return { kind: 'rename', host, from: node.aside ?? host.name, to, waitsFor };
}

function parkDoomed(host: ObservedHost, taken: Taken): OrderedRename {
  const name = host.name as string;
  const to = parkedName('gone', host.id, name, { taken });
  taken.add(to);
  return { kind: 'park', why: 'doomed', host, from: name, to, standsFor: name };
}

interface Taken {
  has(folded: string): boolean;
  add(name: string): void;
}

function reserve(inputs: OrderInputs): Taken {
  const given = new Set<string>();
  return {
    has: (folded) => given.has(folded) || inputs.planned.has(folded) || inputs.holdersOf(folded).length > 0,
    add: (name) => given.add(foldName(name)),
  };
}
