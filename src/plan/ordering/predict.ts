import type { HostId } from '../../model/host-id.ts';
import { hostsOf, type Observed, type ObservedHost, observe } from '../../model/observed.ts';
import type { Step } from '../plan.ts';

/** The fleet as it will be when every step is done. */
export function predict(observed: Observed, steps: readonly Step[]): Observed {
  const changed = new Map<HostId, ObservedHost>();
  const gone = new Set<HostId>();
  const change = (id: HostId, part: Partial<ObservedHost>) => {
    const host = changed.get(id) ?? observed.byId(id);
    if (host !== undefined) changed.set(id, { ...host, ...part });
  };
  for (const step of steps) {
    switch (step.kind) {
      case 'rename':
      case 'park':
        change(step.hostId, { name: step.to });
        break;
      case 'move':
        for (const each of step.hosts) change(each.hostId, { groupId: step.groupId });
        break;
      case 'antivirus':
        for (const each of step.hosts)
          change(each.hostId, {
            antivirus: { supported: true, ...observed.byId(each.hostId)?.antivirus, installed: true },
          });
        break;
      case 'delete':
        for (const each of step.hosts) gone.add(each.hostId);
        break;
    }
  }
  return observe({
    takenAt: observed.takenAt,
    lists: observed.lists,
    groups: observed.groups,
    hosts: hostsOf(observed)
      .filter((host) => !gone.has(host.id))
      .map((host) => changed.get(host.id) ?? host),
  });
}
