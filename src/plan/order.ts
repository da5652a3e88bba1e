import type { HostId } from '../model/host-id.ts';
import { foldName } from '../model/host-name.ts';
import type { ObservedHost } from '../model/observed.ts';
import { parkedName } from '../model/parked-name.ts';
import { compareHostIds } from './compare-hosts.ts';

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
  readonly planned: ReadonlySet<string>;
  /** Deletions come first, so doomed holders need not step aside. */
  readonly deleteFirst: boolean;
}

export type OrderedRename =
  | {
      readonly kind: 'rename';
      readonly host: ObservedHost;
      readonly from: string | null;
      readonly to: string;
      /** Hosts whose latest step must come before. */
      readonly waitsFor: readonly HostId[];
    }
  | {
      readonly kind: 'park';
      readonly why: 'cycle' | 'doomed';
      readonly host: ObservedHost;
      readonly from: string;
      readonly to: string;
      readonly standsFor: string;
    };

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
}

interface Node {
  readonly rename: Rename;
  /** Renames that must come first, because their hosts hold the wanted name. */
  readonly before: Node[];
  readonly doomed: ObservedHost[];
  /** The one rename that waits for this host to leave its name. */
  next?: Node;
  open: number;
}

export function orderRenames(inputs: OrderInputs): Ordering {
  const nodes = new Map<HostId, Node>();
  for (const rename of [...inputs.renames].sort((a, b) => compareHostIds(a.host.id, b.host.id))) {
    nodes.set(rename.host.id, { rename, before: [], doomed: [], open: 0 });
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
    if (component.some((node) => stuck.has(node.rename.host.id))) {
      for (const node of component) blocked.add(node.rename.host.id);
      continue;
    }
    if (!inputs.deleteFirst) doomedHolders.push(...component.flatMap((node) => node.doomed));
    if (orderComponent(component, inputs, taken, steps)) cycles += 1;
  }
  return { steps, squats, blocked, cycles, doomedHolders };
}

function link(node: Node, nodes: ReadonlyMap<HostId, Node>, inputs: OrderInputs, squats: Squat[]): void {
  const { rename } = node;
  const wanted = foldName(rename.to);
  for (const holder of inputs.holdersOf(wanted)) {
    if (holder.id === rename.host.id) continue;
    const other = nodes.get(holder.id);
    if (other !== undefined && foldName(other.rename.to) !== wanted) {
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
  const seen = new Set<Node>();
  const components: Node[][] = [];
  for (const start of nodes.values()) {
    if (seen.has(start)) continue;
    const component: Node[] = [];
    const open = [start];
    seen.add(start);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      component.push(node);
      for (const near of node.next === undefined ? node.before : [...node.before, node.next]) {
        if (seen.has(near)) continue;
        seen.add(near);
        open.push(near);
      }
    }
    components.push(component.sort((a, b) => compareHostIds(a.rename.host.id, b.rename.host.id)));
  }
  return components.sort((a, b) => b.length - a.length);
}

/** Adds a component's steps; true when it held a cycle. */
function orderComponent(
  component: readonly Node[],
  inputs: OrderInputs,
  taken: Taken,
  steps: OrderedRename[],
): boolean {
  const ready = component.filter((node) => node.open === 0);
  const waiting = new Set(component);
  drain(ready, waiting, inputs, taken, steps);
  const first = component.find((node) => waiting.has(node));
  if (first === undefined) return false;

  const { host, to } = first.rename;
  const standIn = parkedName('wanted', host.id, to, { taken });
  taken.add(standIn);
  steps.push({ kind: 'park', why: 'cycle', host, from: host.name as string, to: standIn, standsFor: to });
  const next = first.next as Node;
  next.open -= 1;
  drain(next.open === 0 ? [next] : [], waiting, inputs, taken, steps, { host, standIn });
  return true;
}

function drain(
  ready: Node[],
  waiting: Set<Node>,
  inputs: OrderInputs,
  taken: Taken,
  steps: OrderedRename[],
  aside?: { readonly host: ObservedHost; readonly standIn: string },
): void {
  for (const node of ready) {
    waiting.delete(node);
    const { host, to } = node.rename;
    if (!inputs.deleteFirst) for (const doomed of node.doomed) steps.push(parkDoomed(doomed, taken));
    const isAside = aside?.host.id === host.id;
    steps.push({
      kind: 'rename',
      host,
      from: isAside ? aside.standIn : host.name,
      to,
      waitsFor: [
        ...(isAside ? [host.id] : []),
        ...node.before.map((each) => each.rename.host.id),
        ...node.doomed.map((each) => each.id),
      ],
    });
    const { next } = node;
    if (next === undefined || isAside) continue;
    next.open -= 1;
    if (next.open === 0) ready.push(next);
  }
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
