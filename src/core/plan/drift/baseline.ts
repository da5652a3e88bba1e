import { defined } from '../../lib/defined.ts';
import type { GroupId, HostId, ObservedHost } from '../../model/observed.ts';
import type { Snapshot } from '../../model/snapshot.ts';
import { plannedActs } from '../ordering/planned-acts.ts';
import type { Plan } from '../types/plan.ts';
import type { Baseline, KnownHost } from './drift.ts';

/** A baseline of a whole fleet: it knows every host. `earlier`: as in a snapshot. */
export function baselineOfFleet(
  { observed, earlier = [] }: Pick<Snapshot, 'observed' | 'earlier'>,
  source: string,
): Baseline {
  const before = new Map(earlier.map((host) => [host.id, toKnown(host)]));
  return {
    source,
    at: observed.takenAt,
    complete: true,
    host(id) {
      const host = observed.byId(id);
      return host && toKnown(host);
    },
    earlier: (id) => before.get(id),
    groupName: (id) => observed.groupById(id)?.name ?? null,
    *ids() {
      for (let index = 0; index < observed.count; index += 1) yield observed.at(index).id;
    },
  };
}

function toKnown({ name, groupId, antivirus }: ObservedHost): KnownHost {
  return { name, groupId, ...(antivirus === undefined ? {} : { antivirus: antivirus.installed }) };
}

/** A baseline of the fleet that a plan predicted. It has only the hosts that the plan changed. */
export function baselineOfPlan(plan: Plan, source: string): Baseline {
  const hosts = new Map<HostId, KnownHost>();
  const groups = new Map<GroupId, string | null>();
  for (const { kind, hostId, name, from, to, group } of plannedActs(plan)) {
    if (kind === 'delete') continue;
    if (group !== undefined) groups.set(group.id, group.name);
    const known = hosts.get(hostId) ?? { name, groupId: from };
    hosts.set(hostId, {
      ...known,
      ...(kind === 'antivirus' ? { antivirus: true } : defined({ name: to, groupId: group?.id })),
    });
  }
  return {
    source,
    at: plan.createdAt,
    complete: false,
    host: (id) => hosts.get(id),
    earlier: () => undefined,
    groupName: (id) => groups.get(id) ?? null,
    ids: () => hosts.keys(),
  };
}
