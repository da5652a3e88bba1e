import type { HostId } from '../../core/model/host-id.ts';
import type {
  Expectation,
  Hazard,
  Reason,
  RenameStep,
  Step,
  TemporaryRenameStep,
} from '../../core/plan/types/step.ts';

/** `first`: gets a temporary name to break a cycle. `deletion`: gives up its name to another host and is deleted later. */
export type TemporaryRename = 'no' | 'first' | 'deletion';

/** The rename of one host from its current name to its final one, however many calls that takes. */
export interface RenameRow {
  readonly hostId: HostId;
  readonly from: string | null;
  readonly to: string;
  readonly temporaryRename: TemporaryRename;
  readonly hazards: readonly Hazard[];
  readonly reason: Reason;
  /** Its name and group before the plan. */
  readonly expects: Expectation;
}

/** Hosts whose renames wait for one another, in execution order. */
export interface RenameComponent {
  readonly shape: 'single' | 'chain' | 'swap' | 'cycle';
  readonly rows: readonly RenameRow[];
}

type NameStep = RenameStep | TemporaryRenameStep;

export function renameComponents(steps: readonly Step[]): readonly RenameComponent[] {
  const names = steps.filter(
    (step): step is NameStep => step.kind === 'rename' || step.kind === 'temporary-rename',
  );
  return connected(names).map(toComponent);
}

/** Groups steps that wait for one another or change the same host. */
function connected(steps: readonly NameStep[]): readonly (readonly NameStep[])[] {
  const parents = Int32Array.from(steps.keys());
  const parentOf = (at: number) => parents[at] as number;
  const rootOf = (index: number): number => {
    let root = index;
    while (parentOf(root) !== root) root = parentOf(root);
    for (let at = index; at !== root; ) {
      const next = parentOf(at);
      parents[at] = root;
      at = next;
    }
    return root;
  };
  const join = (index: number, other: number | undefined) => {
    if (other !== undefined) parents[rootOf(index)] = rootOf(other);
  };
  const places = new Map(steps.map(({ id }, index) => [id, index]));
  const lastOfHost = new Map<HostId, number>();
  for (const [index, { after, hostId }] of steps.entries()) {
    for (const other of after) join(index, places.get(other));
    join(index, lastOfHost.get(hostId));
    lastOfHost.set(hostId, index);
  }
  return [...Map.groupBy(steps, (_, index) => rootOf(index)).values()];
}

function toComponent(steps: readonly NameStep[]): RenameComponent {
  const rows = new Map<HostId, RenameRow>();
  for (const step of steps) rows.set(step.hostId, toRow(step, rows.get(step.hostId)));
  return { shape: shapeOf(steps, rows.size), rows: [...rows.values()] };
}

function toRow(step: NameStep, earlier: RenameRow | undefined): RenameRow {
  const { hostId, to, hazards, reason, expects } = step;
  if (earlier !== undefined) return { ...earlier, to, hazards: [...earlier.hazards, ...hazards] };
  const temporaryRename = step.kind === 'rename' ? 'no' : step.why === 'deletion' ? 'deletion' : 'first';
  return { hostId, from: step.from, to, temporaryRename, hazards, reason, expects };
}

function shapeOf(steps: readonly NameStep[], hosts: number): RenameComponent['shape'] {
  if (hosts === 1) return 'single';
  if (!steps.some((step) => step.kind === 'temporary-rename' && step.why === 'cycle')) return 'chain';
  return hosts === 2 ? 'swap' : 'cycle';
}
