import type { HostId } from '../../model/observed.ts';
import { hostIdsOf, isNameStep, type Step } from '../types/step.ts';
import type { Units } from './units.ts';

/**
 * The same steps restricted to some of the hosts: the other hosts are removed from batches, and steps without hosts are
 * left out.
 */
export function selectSteps(steps: readonly Step[], keeps: (host: HostId) => boolean): readonly Step[] {
  return steps.flatMap((step): readonly Step[] => {
    if (isNameStep(step)) return keeps(step.hostId) ? [step] : [];
    const hosts = step.hosts.filter((each) => keeps(each.hostId));
    return hosts.length === 0 ? [] : [{ ...step, hosts }];
  });
}

/** The hosts of whole units, in the plan's order, until there are at least this many. */
export function firstHosts(steps: readonly Step[], count: number, units: Units): ReadonlySet<HostId> {
  const chosen = new Set<HostId>();
  const begun = new Set<HostId>();
  for (const host of steps.flatMap(hostIdsOf)) {
    if (chosen.size >= count && !begun.has(units.of(host))) continue;
    begun.add(units.of(host));
    chosen.add(host);
  }
  return chosen;
}
