import { foldName } from '../../model/host-name.ts';
import type { HostId } from '../../model/observed.ts';
import { isNameStep, type Step, type StepId } from '../types/step.ts';

/**
 * Hosts that must be planned, tried or left out together because their renames wait for one another, or for the
 * deletion of the host that has the name. A host on its own is a unit of one. A unit is identified by one of its hosts.
 */
export interface Units {
  of(host: HostId): HostId;
}

export function unitsOf(steps: readonly Step[]): Units {
  const parent = new Map<HostId, HostId>();
  const find = (host: HostId): HostId => {
    let root = host;
    for (let up = parent.get(root); up !== undefined && up !== root; up = parent.get(root)) root = up;
    for (let at = host; at !== root; ) {
      const up = parent.get(at) as HostId;
      parent.set(at, root);
      at = up;
    }
    return root;
  };
  const hostOfStep = new Map<StepId, HostId>();
  // Only deletions before the renames free names for them.
  const deleted = new Map<string, HostId[]>();
  for (const step of steps) {
    if (step.kind === 'delete')
      for (const { hostId, expects } of step.hosts) {
        if (expects.name === null) continue;
        const name = foldName(expects.name);
        const alike = deleted.get(name) ?? [];
        alike.push(hostId);
        deleted.set(name, alike);
      }
    if (!isNameStep(step)) continue;
    for (const owner of deleted.get(foldName(step.to)) ?? []) parent.set(find(owner), find(step.hostId));
    hostOfStep.set(step.id, step.hostId);
    for (const id of step.after) {
      const before = hostOfStep.get(id);
      if (before !== undefined) parent.set(find(before), find(step.hostId));
    }
  }
  return { of: find };
}

/** The given hosts and all others in the same units. */
export function withUnits(units: Units, hosts: Iterable<HostId>): { has(host: HostId): boolean } {
  const chosen = new Set([...hosts].map((host) => units.of(host)));
  return { has: (host) => chosen.has(units.of(host)) };
}
