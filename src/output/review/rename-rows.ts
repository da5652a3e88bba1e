import type { HostId } from '../../core/model/observed.ts';
import { unitsOf } from '../../core/plan/ordering/units.ts';
import {
  type Expectation,
  type Hazard,
  isNameStep,
  type NameStep,
  type Reason,
  type Step,
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

export function renameComponents(steps: readonly Step[]): readonly RenameComponent[] {
  const names = steps.filter(isNameStep);
  const units = unitsOf(names);
  return [...Map.groupBy(names, ({ hostId }) => units.of(hostId)).values()].map(toComponent);
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
