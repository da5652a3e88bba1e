import { printable } from '../../../../core/lib/printable.ts';
import type { FleetChange } from '../../fleet/fleet-changes.ts';
import type { FleetPlan } from '../../fleet/plan-fleet.ts';
import type { ConfigOf, StateOf } from '../../protocol/schema/values-of.ts';
import type { fleetSchema } from './fleet-schema.ts';

export type FleetConfig = ConfigOf<typeof fleetSchema>;
export type FleetState = StateOf<typeof fleetSchema>;

/** A plan of a whole desired state as computed attributes. Names are made safe to show. */
export function valuesOf({ counts, calls, changes, checksum }: FleetPlan) {
  const { rename, move, antivirus, delete: deletions } = counts;
  return {
    counts: { rename, move, antivirus, delete: deletions },
    calls,
    changes: changes.map(changeValues),
    checksum,
  };
}

function changeValues({ hostId, name, kind, from, to, reason }: FleetChange) {
  return {
    host_id: hostId,
    name: safe(name),
    kind,
    from: safe(from),
    to: safe(to),
    reason: printable(reason),
  };
}

function safe(text: string | null): string | null {
  return text === null ? null : printable(text);
}
