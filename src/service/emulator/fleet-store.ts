import type { FleetState, GroupState, StoredHostState } from './fleet-state.ts';

/** A fleet for a list, in its current or an earlier state. */
export interface FleetView {
  readonly groups: Iterable<GroupState>;
  readonly hosts: Iterable<StoredHostState>;
  /** Equal revisions show equal fleets; undefined: do not cache. */
  readonly revision?: number;
}

/** The changing fleet. Hosts are values: a change replaces the old one. */
export interface FleetStore {
  readonly now: FleetView;
  host(id: string): StoredHostState | undefined;
  group(id: string): GroupState | undefined;
  /** Hosts whose names fold to the same text as this one. */
  namesakes(name: string): readonly StoredHostState[];
  putHost(host: StoredHostState): void;
  removeHost(id: string): void;
  putGroup(group: GroupState): void;
  removeGroup(id: string): void;
  /** All changes until the next mark count as one write for `asOf`. */
  mark(): void;
  /** The hosts before the last writes; at most `rememberedWrites` of them. */
  asOf(writesAgo: number): FleetView;
  state(): FleetState;
}

const rememberedWrites = 100;

export function createFleetStore(initial: FleetState): FleetStore {
  const hosts = new Map(initial.hosts.map((host) => [host.id, host]));
  const groups = new Map(initial.groups.map((group) => [group.id, group]));
  /** For each write, the hosts it changed in their earlier state; undefined if the host did not exist. */
  const past: Map<string, StoredHostState | undefined>[] = [];
  let names: Map<string, Set<string>> | undefined;
  let revision = 0;

  function nameIndex(): Map<string, Set<string>> {
    if (names === undefined) {
      names = new Map();
      for (const host of hosts.values()) enter(names, host);
    }
    return names;
  }

  function change(id: string, after: StoredHostState | undefined): void {
    const before = hosts.get(id);
    if (before === after) return;
    const write = past.at(-1);
    if (write !== undefined && !write.has(id)) write.set(id, before);
    if (names !== undefined && before !== undefined) leave(names, before);
    if (after === undefined) hosts.delete(id);
    else hosts.set(id, after);
    if (names !== undefined && after !== undefined) enter(names, after);
    revision += 1;
  }

  return {
    get now() {
      return { groups: groups.values(), hosts: hosts.values(), revision };
    },
    host: (id) => hosts.get(id),
    group: (id) => groups.get(id),
    namesakes: (name) =>
      [...(nameIndex().get(foldName(name)) ?? [])].map((id) => hosts.get(id) as StoredHostState),
    putHost: (host) => change(host.id, host),
    removeHost: (id) => change(id, undefined),
    putGroup(group) {
      groups.set(group.id, group);
      revision += 1;
    },
    removeGroup(id) {
      groups.delete(id);
      revision += 1;
    },
    mark() {
      if (past.at(-1)?.size === 0) return;
      past.push(new Map());
      if (past.length > rememberedWrites + 1) past.shift();
    },
    asOf(writesAgo) {
      const then = new Map(hosts);
      const writes = past.filter((write) => write.size > 0);
      for (const write of writes.slice(Math.max(0, writes.length - writesAgo)).reverse()) {
        for (const [id, before] of write) {
          if (before === undefined) then.delete(id);
          else then.set(id, before);
        }
      }
      return { groups: groups.values(), hosts: then.values() };
    },
    state: () => ({ ...initial, groups: [...groups.values()], hosts: [...hosts.values()] }),
  };
}

/** The service may treat names that fold alike as one name. */
function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function enter(names: Map<string, Set<string>>, host: StoredHostState): void {
  if (host.name === null) return;
  const key = foldName(host.name);
  const ids = names.get(key);
  if (ids === undefined) names.set(key, new Set([host.id]));
  else ids.add(host.id);
}

function leave(names: Map<string, Set<string>>, host: StoredHostState): void {
  if (host.name === null) return;
  const key = foldName(host.name);
  const ids = names.get(key);
  ids?.delete(host.id);
  if (ids?.size === 0) names.delete(key);
}
