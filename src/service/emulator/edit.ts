import {
  type HostParts,
  hostState,
  type StoredAntivirus,
  type StoredHostState,
  ungrouped,
} from './fleet-state.ts';
import type { FleetStore } from './fleet-store.ts';

/** A change that someone else makes to the fleet: in the console, or by switching a computer on. */
export type Edit =
  | { readonly kind: 'rename'; readonly id: string; readonly name: string | null }
  | { readonly kind: 'move'; readonly id: string; readonly groupId: string }
  | { readonly kind: 'delete'; readonly id: string }
  | { readonly kind: 'enroll'; readonly host: HostParts }
  | { readonly kind: 'online'; readonly id: string; readonly online: boolean }
  | { readonly kind: 'session'; readonly id: string; readonly inSession: boolean }
  | { readonly kind: 'antivirus'; readonly id: string; readonly antivirus: Partial<StoredAntivirus> }
  | { readonly kind: 'put-group'; readonly id: string; readonly name: string }
  /** Its hosts become ungrouped. */
  | { readonly kind: 'remove-group'; readonly id: string };

/**
 * Makes the edit, or returns false if the console would refuse it: an unknown host or group, exactly the name of
 * another host, or an id in use.
 */
export function edit(store: FleetStore, change: Edit, now: number): boolean {
  switch (change.kind) {
    case 'rename':
      return onHost(store, change.id, (host) =>
        isFree(store, change.name, host.id) ? { ...host, name: change.name } : undefined,
      );
    case 'move':
      return onHost(store, change.id, (host) =>
        hasGroup(store, change.groupId) ? { ...host, groupId: change.groupId } : undefined,
      );
    case 'delete': {
      const known = store.host(change.id) !== undefined;
      store.removeHost(change.id);
      return known;
    }
    case 'enroll': {
      const host = hostState(change.host);
      const refused =
        store.host(host.id) !== undefined ||
        !isFree(store, host.name, host.id) ||
        !hasGroup(store, host.groupId);
      if (!refused) store.putHost(host);
      return !refused;
    }
    case 'online':
      return onHost(store, change.id, (host) => ({
        ...host,
        online: change.online,
        stateChangedAt: secondText(now),
      }));
    case 'session':
      return onHost(store, change.id, (host) => ({ ...host, inSession: change.inSession }));
    case 'antivirus':
      return onHost(store, change.id, (host) => ({
        ...host,
        antivirus: { ...host.antivirus, ...change.antivirus },
      }));
    case 'put-group':
      store.putGroup({ id: change.id, name: change.name });
      return true;
    case 'remove-group':
      return removeGroup(store, change.id);
  }
}

function onHost(
  store: FleetStore,
  id: string,
  change: (host: StoredHostState) => StoredHostState | undefined,
): boolean {
  const host = store.host(id);
  const changed = host === undefined ? undefined : change(host);
  if (changed !== undefined) store.putHost(changed);
  return changed !== undefined;
}

function removeGroup(store: FleetStore, id: string): boolean {
  if (store.group(id) === undefined) return false;
  for (const host of store.now.hosts) {
    if (host.groupId === id) store.putHost({ ...host, groupId: ungrouped });
  }
  store.removeGroup(id);
  return true;
}

function isFree(store: FleetStore, name: string | null, id: string): boolean {
  return name === null || !store.namesakes(name).some((host) => host.name === name && host.id !== id);
}

function hasGroup(store: FleetStore, id: string): boolean {
  return id === ungrouped || store.group(id) !== undefined;
}

export function secondText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
