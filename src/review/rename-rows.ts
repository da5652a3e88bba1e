import type { HostId } from '../model/host-id.ts';
import type { Expectation, Hazard, ParkStep, Reason, RenameStep, Step } from '../plan/plan.ts';

/** One host and its way from the name it has to the one it gets, however many calls that takes. */
export interface RenameRow {
  readonly hostId: HostId;
  readonly from: string | null;
  readonly to: string;
  /** `first`: takes a temporary name to break a cycle. `doomed`: leaves its name to another and is deleted later. */
  readonly aside: 'no' | 'first' | 'doomed';
  readonly hazards: readonly Hazard[];
  readonly reason: Reason;
  /** Its name and group before the plan. */
  readonly expects: Expectation;
}

/** Hosts whose renames wait for one another, in the order in which they happen. */
export interface RenameComponent {
  readonly shape: 'single' | 'chain' | 'swap' | 'cycle';
  readonly rows: readonly RenameRow[];
}

type NameStep = RenameStep | ParkStep;

export function renameComponents(steps: readonly Step[]): readonly RenameComponent[] {
  const names = steps.filter((step): step is NameStep => step.kind === 'rename' || step.kind === 'park');
  return connected(names).map(toComponent);
}

/** Steps that wait for one another or change the same host, together. */
function connected(steps: readonly NameStep[]): readonly (readonly NameStep[])[] {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    while (parents.get(root) !== root) root = parents.get(root) ?? root;
    for (let at = id; at !== root; ) {
      const next = parents.get(at) ?? root;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  const lastOfHost = new Map<HostId, string>();
  for (const step of steps) parents.set(step.id, step.id);
  for (const step of steps) {
    const linked = [...step.after, lastOfHost.get(step.hostId)];
    for (const other of linked) {
      if (other !== undefined && parents.has(other)) parents.set(rootOf(step.id), rootOf(other));
    }
    lastOfHost.set(step.hostId, step.id);
  }
  const components = new Map<string, NameStep[]>();
  for (const step of steps) {
    const root = rootOf(step.id);
    const known = components.get(root);
    if (known === undefined) components.set(root, [step]);
    else known.push(step);
  }
  return [...components.values()];
}

function toComponent(steps: readonly NameStep[]): RenameComponent {
  const rows = new Map<HostId, RenameRow>();
  for (const step of steps) rows.set(step.hostId, toRow(step, rows.get(step.hostId)));
  return { shape: shapeOf(steps, rows.size), rows: [...rows.values()] };
}

function toRow(step: NameStep, earlier: RenameRow | undefined): RenameRow {
  const { hostId, to, hazards, reason, expects } = step;
  if (earlier !== undefined) return { ...earlier, to, hazards: [...earlier.hazards, ...hazards] };
  const aside = step.kind === 'rename' ? 'no' : step.why === 'doomed' ? 'doomed' : 'first';
  return { hostId, from: step.from, to, aside, hazards, reason, expects };
}

function shapeOf(steps: readonly NameStep[], hosts: number): RenameComponent['shape'] {
  if (hosts === 1) return 'single';
  if (!steps.some((step) => step.kind === 'park' && step.why === 'cycle')) return 'chain';
  return hosts === 2 ? 'swap' : 'cycle';
}
