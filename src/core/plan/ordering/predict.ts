import {
  type HostId,
  hostsOf,
  type Observed,
  type ObservedHost,
  observe,
  unreadableOf,
} from '../../model/observed.ts';
import type { Step } from '../types/step.ts';

/** The changed hosts after the steps; null for deleted hosts. */
export function changedHosts(
  hostOf: (id: HostId) => ObservedHost | undefined,
  steps: readonly Step[],
): ReadonlyMap<HostId, ObservedHost | null> {
  const changed = new Map<HostId, ObservedHost | null>();
  const deleted: HostId[] = [];
  const change = (id: HostId, part: Partial<ObservedHost>) => {
    const host = changed.get(id) ?? hostOf(id);
    if (host !== undefined) changed.set(id, { ...host, ...part });
  };
  for (const step of steps) {
    switch (step.kind) {
      case 'rename':
      case 'temporary-rename':
        change(step.hostId, { name: step.to });
        break;
      case 'move':
        for (const each of step.hosts) change(each.hostId, { groupId: step.groupId });
        break;
      case 'antivirus':
        for (const each of step.hosts)
          change(each.hostId, {
            antivirus: { supported: true, ...hostOf(each.hostId)?.antivirus, installed: true },
          });
        break;
      case 'refresh':
        break;
      case 'delete':
        for (const each of step.hosts) deleted.push(each.hostId);
        break;
    }
  }
  for (const id of deleted) changed.set(id, null);
  return changed;
}

/** The fleet after every step is done. */
export function predict(observed: Observed, steps: readonly Step[]): Observed {
  const changed = changedHosts((id) => observed.byId(id), steps);
  return observe({
    takenAt: observed.takenAt,
    lists: observed.lists,
    groups: observed.groups,
    ...unreadableOf(observed),
    hosts: hostsOf(observed).flatMap((host) => {
      const after = changed.get(host.id);
      return after === null ? [] : (after ?? host);
    }),
  });
}
