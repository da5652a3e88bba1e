import { once } from '../../lib/once.ts';
import { foldName } from '../../model/host-name.ts';
import type { HostId, ObservedHost } from '../../model/observed.ts';
import { temporaryName } from '../../model/temporary-name.ts';
import {
  blockersOf,
  collectComponents,
  countCycles,
  linkNames,
  type NameConflict,
  type NameNode,
  type NameOwners,
  type Rename,
} from './name-graph.ts';

/**
 * The order of renames. A host can take a name only when no other host has it.
 *
 *     chain    A -> B -> C -> free          C first, then B, then A
 *     cycle    A -> B -> A                  A is renamed temporarily, B takes A's name, A takes B's
 *     deleted  A -> the name of a host that is to be deleted: that host is renamed temporarily, because deletions come last
 *
 * Every wanted name has one claimant, so each host is waited for by at most one other. A component of the graph
 * is therefore a tree, whose leaves go first, or one cycle with trees: nothing waits for a cycle but itself.
 * Temporary renames = cycles of two or more + hosts to be deleted that have wanted names, and no order needs fewer.
 */
export interface OrderInputs extends NameOwners {
  readonly renames: readonly Rename[];
  /** Folded names that no temporary name may have, in addition to the live ones. */
  readonly planned: { has(folded: string): boolean };
  /** Deletions come first, so hosts to be deleted need no temporary name. */
  readonly deleteFirst: boolean;
}

export type OrderedRename =
  | {
      readonly kind: 'rename';
      readonly host: ObservedHost;
      readonly from: string | null;
      readonly to: string;
      /** Hosts whose first step frees the name, or makes this host's own temporary rename. */
      readonly waitsFor: readonly HostId[];
    }
  | {
      readonly kind: 'temporary-rename';
      readonly why: TemporaryRenameReason;
      readonly host: ObservedHost;
      readonly from: string;
      readonly to: string;
      readonly finalName: string;
    };

/** To break a cycle, or because the host will be deleted. */
export type TemporaryRenameReason = 'cycle' | 'deletion';

export interface Ordering {
  /** Component by component, longest first, each in an executable order. Made on first use. */
  readonly steps: readonly OrderedRename[];
  readonly nameConflicts: readonly NameConflict[];
  /** Hosts that can't be renamed because of a name conflict in their component. */
  readonly blocked: ReadonlySet<HostId>;
  /** Without blocked components. */
  readonly cycles: number;
  readonly ownersToDelete: number;
  /** How many of the steps are temporary renames. */
  readonly temporaryRenames: number;
}

export function orderRenames(inputs: OrderInputs): Ordering {
  const { nodes, nameConflicts } = linkNames(inputs.renames, inputs);
  const components = once(() => collectComponents(nodes));
  const blocked = nameConflicts.length === 0 ? new Set<HostId>() : blockersOf(nameConflicts, components());
  const free = nodes.filter(({ rename }) => !blocked.has(rename.host.id));
  const cycles = countCycles(free);
  const ownersToDelete = inputs.deleteFirst
    ? 0
    : free.reduce((sum, { toDelete }) => sum + toDelete.length, 0);
  const steps = once(() => orderAll(components(), blocked, inputs));
  return {
    nameConflicts,
    blocked,
    cycles,
    ownersToDelete,
    get steps() {
      return steps();
    },
    temporaryRenames: cycles + ownersToDelete,
  };
}

function orderAll(
  components: readonly (readonly NameNode[])[],
  blocked: ReadonlySet<HostId>,
  inputs: OrderInputs,
): readonly OrderedRename[] {
  const steps: OrderedRename[] = [];
  const taken = reserve(inputs);
  for (const component of components) {
    const [first] = component;
    if (first === undefined || blocked.has(first.rename.host.id)) continue;
    if (component.length === 1) follow(first, inputs, taken, steps);
    else orderComponent(component, inputs, taken, steps);
  }
  return steps;
}

function orderComponent(
  component: readonly NameNode[],
  inputs: OrderInputs,
  taken: Taken,
  steps: OrderedRename[],
): void {
  const sequence = drain(component.filter((node) => node.open === 0));
  const first = component.find((node) => node.isWaiting);
  if (first !== undefined) {
    steps.push(breakCycle(first, taken));
    for (const node of drain([first.next as NameNode])) sequence.push(node);
  }
  for (const node of sequence) follow(node, inputs, taken, steps);
}

/** Adds the rename after the temporary renames of hosts to be deleted that have its name. */
function follow(node: NameNode, inputs: OrderInputs, taken: Taken, steps: OrderedRename[]): void {
  if (!inputs.deleteFirst)
    for (const toDelete of node.toDelete) steps.push(renameBeforeDeletion(toDelete, taken));
  steps.push(land(node));
}

/** The nodes that can be executed, each after those it waits for. */
function drain(ready: NameNode[]): NameNode[] {
  for (const node of ready) {
    node.isWaiting = false;
    if (node.next?.isWaiting !== true) continue;
    node.next.open -= 1;
    if (node.next.open === 0) ready.push(node.next);
  }
  return ready;
}

function breakCycle(node: NameNode, taken: Taken): OrderedRename {
  const { host, to } = node.rename;
  node.temporaryName = temporaryName('rename', host.id, to, { taken });
  taken.add(node.temporaryName);
  return {
    kind: 'temporary-rename',
    why: 'cycle',
    host,
    from: host.name as string,
    to: node.temporaryName,
    finalName: to,
  };
}

function land(node: NameNode): OrderedRename {
  const { host, to } = node.rename;
  const owners = node.before.map((each) => each.rename.host.id);
  const waitsFor = [
    ...(node.temporaryName === undefined ? [] : [host.id]),
    ...owners,
    ...node.toDelete.map(({ id }) => id),
  ];
  return { kind: 'rename', host, from: node.temporaryName ?? host.name, to, waitsFor };
}

function renameBeforeDeletion(host: ObservedHost, taken: Taken): OrderedRename {
  const name = host.name as string;
  const to = temporaryName('deletion', host.id, name, { taken });
  taken.add(to);
  return { kind: 'temporary-rename', why: 'deletion', host, from: name, to, finalName: name };
}

interface Taken {
  has(folded: string): boolean;
  add(name: string): void;
}

function reserve(inputs: OrderInputs): Taken {
  const given = new Set<string>();
  return {
    has: (folded) => given.has(folded) || inputs.planned.has(folded) || inputs.ownersOf(folded).length > 0,
    add: (name) => given.add(foldName(name)),
  };
}
