import type { HostId } from '../model/host-id.ts';
import type { Step } from './plan.ts';

/** The same steps for some of the hosts; a batch loses the others, and a step without hosts is left out. */
export function selectSteps(steps: readonly Step[], keeps: (host: HostId) => boolean): readonly Step[] {
  return steps.flatMap((step): readonly Step[] => {
    if (step.kind === 'rename' || step.kind === 'park') return keeps(step.hostId) ? [step] : [];
    const hosts = step.hosts.filter((each) => keeps(each.hostId));
    return hosts.length === 0 ? [] : [{ ...step, hosts }];
  });
}

/** Whole units in the plan's order until at least so many hosts are in; all of them when there are fewer. */
export function firstHosts(
  steps: readonly Step[],
  count: number,
  unitOf: (host: HostId) => HostId,
): ReadonlySet<HostId> {
  const chosen = new Set<HostId>();
  const units = new Set<HostId>();
  for (const step of steps) {
    for (const host of step.kind === 'rename' || step.kind === 'park'
      ? [step.hostId]
      : step.hosts.map((each) => each.hostId)) {
      if (chosen.size >= count && !units.has(unitOf(host))) continue;
      units.add(unitOf(host));
      chosen.add(host);
    }
  }
  return chosen;
}
