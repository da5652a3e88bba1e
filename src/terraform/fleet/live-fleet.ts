import { foldName } from '../../core/model/host-name.ts';
import {
  type Group,
  type GroupId,
  type HostId,
  hostsOf,
  type ListRead,
  type Observed,
  type ObservedHost,
  observe,
  type UnreadableHost,
  unreadableOf,
} from '../../core/model/observed.ts';
import { readTemporaryName } from '../../core/model/temporary-name.ts';

/**
 * A fleet as it was listed, with our own calls applied since. It is a mutable view, in which every change has the same
 * cost for any number of hosts.
 */
export class LiveFleet implements Observed {
  readonly takenAt: string;
  readonly lists: readonly ListRead[];
  readonly groups: readonly Group[];
  readonly unreadable: readonly UnreadableHost[];
  /** The list itself had no hosts. */
  readonly wasEmpty: boolean;
  readonly #hosts: Map<HostId, ObservedHost>;
  readonly #groups: ReadonlyMap<GroupId, Group>;
  #inOrder: readonly ObservedHost[] | undefined;
  #indexes: Map<HostId, number> | undefined;
  #names: NameIndex | undefined;
  #groupsByName: ReadonlyMap<string | null, readonly Group[]> | undefined;

  constructor(listed: Observed) {
    this.takenAt = listed.takenAt;
    this.lists = listed.lists;
    this.groups = listed.groups;
    this.unreadable = listed.unreadable ?? [];
    this.wasEmpty = listed.count === 0;
    this.#hosts = new Map(hostsOf(listed).map((host) => [host.id, host]));
    this.#groups = new Map(listed.groups.map((group) => [group.id, group]));
  }

  get count(): number {
    return this.#hosts.size;
  }

  at(index: number): ObservedHost {
    this.#inOrder ??= [...this.#hosts.values()];
    return this.#inOrder[index] as ObservedHost;
  }

  idAt(index: number): HostId {
    return this.at(index).id;
  }

  nameAt(index: number): string | null {
    return this.at(index).name;
  }

  groupIdAt(index: number): GroupId {
    return this.at(index).groupId;
  }

  hasNameAt(index: number, name: string): boolean {
    return this.at(index).name === name;
  }

  indexOf(id: HostId): number {
    if (!this.#hosts.has(id)) return -1;
    this.#indexes ??= new Map(Array.from(this.#hosts.keys(), (each, index) => [each, index]));
    return this.#indexes.get(id) as number;
  }

  byId(id: HostId): ObservedHost | undefined {
    return this.#hosts.get(id);
  }

  byName(name: string): readonly ObservedHost[] {
    return this.#index().withName(name);
  }

  byFoldedName(folded: string): readonly ObservedHost[] {
    return this.#index().folded(folded);
  }

  withTemporaryNames(): readonly ObservedHost[] {
    return this.#index().temporary();
  }

  hasNamesAlike(): boolean {
    return this.#index().hasNamesAlike();
  }

  /** The list was refused if it repeated an id. */
  repeatedIds(): readonly HostId[] {
    return [];
  }

  groupById(id: GroupId): Group | undefined {
    return this.#groups.get(id);
  }

  groupsCalled(name: string): readonly Group[] {
    this.#groupsByName ??= Map.groupBy(this.groups, (group) => group.name);
    return this.#groupsByName.get(name) ?? [];
  }

  /** Replaces the host with that id; an unlisted host is not added. */
  put(host: ObservedHost): void {
    const before = this.#hosts.get(host.id);
    if (before === undefined) return;
    this.#hosts.set(host.id, host);
    this.#inOrder = undefined;
    this.#names?.remove(before);
    this.#names?.add(host);
  }

  drop(id: HostId): void {
    const before = this.#hosts.get(id);
    if (before === undefined) return;
    this.#hosts.delete(id);
    this.#inOrder = undefined;
    this.#indexes = undefined;
    this.#names?.remove(before);
  }

  /** An immutable copy of the fleet at this moment. */
  frozen(): Observed {
    const { takenAt, lists, groups } = this;
    return observe({ takenAt, lists, groups, hosts: [...this.#hosts.values()], ...unreadableOf(this) });
  }

  #index(): NameIndex {
    this.#names ??= new NameIndex(this.#hosts.values());
    return this.#names;
  }
}

/** Hosts by name, updated when single hosts change. */
class NameIndex {
  readonly #exact: Index;
  readonly #folded: Index;
  readonly #temporary: Map<HostId, ObservedHost>;

  /** Adding thousands of hosts with one name one by one would copy their list each time. */
  constructor(hosts: Iterable<ObservedHost>) {
    const named = Array.from(hosts).filter(({ name }) => name !== null);
    this.#exact = Map.groupBy(named, ({ name }) => name as string);
    this.#folded = Map.groupBy(named, ({ name }) => foldName(name as string));
    const temporary = named.filter(({ name }) => readTemporaryName(name) !== undefined);
    this.#temporary = new Map(temporary.map((host) => [host.id, host]));
  }

  add(host: ObservedHost): void {
    if (host.name === null) return;
    append(this.#exact, host.name, host);
    append(this.#folded, foldName(host.name), host);
    if (readTemporaryName(host.name) !== undefined) this.#temporary.set(host.id, host);
  }

  remove(host: ObservedHost): void {
    if (host.name === null) return;
    drop(this.#exact, host.name, host);
    drop(this.#folded, foldName(host.name), host);
    this.#temporary.delete(host.id);
  }

  withName(name: string): readonly ObservedHost[] {
    return this.#exact.get(name) ?? [];
  }

  folded(folded: string): readonly ObservedHost[] {
    return this.#folded.get(folded) ?? [];
  }

  hasNamesAlike(): boolean {
    return Array.from(this.#folded.values()).some((hosts) => hosts.length > 1);
  }

  /** Hosts with a temporary name. */
  temporary(): readonly ObservedHost[] {
    return [...this.#temporary.values()];
  }
}

type Index = Map<string, readonly ObservedHost[]>;

function append(index: Index, key: string, host: ObservedHost): void {
  const known = index.get(key);
  index.set(key, known === undefined ? [host] : [...known, host]);
}

function drop(index: Index, key: string, host: ObservedHost): void {
  const left = (index.get(key) ?? []).filter(({ id }) => id !== host.id);
  if (left.length === 0) index.delete(key);
  else index.set(key, left);
}
