import type { HostId } from '../../core/model/host-id.ts';
import { foldName } from '../../core/model/host-name.ts';
import type { ObservedHost } from '../../core/model/observed.ts';
import { readTemporaryName } from '../../core/model/temporary-name.ts';

/** Hosts by name, updated when single hosts change. */
export class NameIndex {
  readonly #exact = new Map<string, readonly ObservedHost[]>();
  readonly #folded = new Map<string, readonly ObservedHost[]>();
  readonly #temporary = new Map<HostId, ObservedHost>();

  constructor(hosts: Iterable<ObservedHost>) {
    for (const host of hosts) this.add(host);
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
