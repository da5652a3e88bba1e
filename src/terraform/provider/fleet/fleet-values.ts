import type { FleetPlan, InstallMemory } from '../../fleet/plan-fleet.ts';
import type { ResourceValuesOf } from '../../protocol/provider/resource.ts';
import type { ConfigOf, StateOf } from '../../protocol/schema/values-of.ts';
import { changeLines, changeSummary } from './change-lines.ts';
import type { fleetSchema } from './fleet-schema.ts';
import type { ShownFleet } from './shown-fleet.ts';

export type FleetValues = ResourceValuesOf<typeof fleetSchema>;
export type FleetConfig = ConfigOf<typeof fleetSchema>;
export type FleetResourceState = StateOf<typeof fleetSchema>;

/** What the provider stores in addition to the state. */
export interface FleetMemory extends InstallMemory {
  /** Only in a plan. */
  readonly shown?: ShownFleet;
}

/** Null before the first apply. */
export function fleetMemoryFrom(value: unknown): FleetMemory {
  return value ?? {};
}

/** A plan of a whole desired state as computed attributes. Names are made safe to show. */
export function valuesOf(plan: FleetPlan) {
  const { rename, move, antivirus, delete: deletions } = plan.counts;
  return {
    summary: changeSummary(plan),
    counts: { rename, move, antivirus, delete: deletions },
    calls: plan.calls,
    changes: changeLines(plan.changes),
    drift: {},
    checksum: plan.checksum,
  };
}
