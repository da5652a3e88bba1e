import { hashOf } from '../lib/text-hash.ts';
import type { GroupId } from './group.ts';
import type { HostId } from './host-id.ts';
import { hashOfFolded } from './host-name.ts';
import type { ObservedHost } from './observed.ts';

/** The hosts of a list in its order, however they are kept: as objects, or as the bytes that they were read from. */
export interface HostTable {
  readonly count: number;
  /** May be made for each call: two of one place are equal, and need not be one object. */
  at(place: number): ObservedHost;
  idAt(place: number): HostId;
  nameAt(place: number): string | null;
  groupIdAt(place: number): GroupId;
  hasIdAt(place: number, id: HostId): boolean;
  isCalledAt(place: number, name: string): boolean;
  /** A host that has no name is called "" here. */
  nameBeginsAt(place: number, text: string): boolean;
  /** Places of hosts that have a text of ASCII in their names, in the order of the list. */
  placesNaming(part: string): readonly number[];
  /** `hashOf` of each id. */
  idHashes(): Float64Array;
  /** `hashOfFolded` of each name; -1 where a host has none. */
  nameHashes(): Float64Array;
}

export function tableOf(hosts: readonly ObservedHost[]): HostTable {
  const host = (place: number) => hosts[place] as ObservedHost;
  return {
    count: hosts.length,
    at: host,
    idAt: (place) => host(place).id,
    nameAt: (place) => host(place).name,
    groupIdAt: (place) => host(place).groupId,
    hasIdAt: (place, id) => hosts[place]?.id === id,
    isCalledAt: (place, name) => host(place).name === name,
    nameBeginsAt: (place, text) => (host(place).name ?? '').startsWith(text),
    placesNaming: (part) =>
      hosts.flatMap(({ name }, place) => (name?.includes(part) === true ? [place] : [])),
    idHashes: () => Float64Array.from(hosts, ({ id }) => hashOf(id)),
    nameHashes: () => Float64Array.from(hosts, ({ name }) => (name === null ? -1 : hashOfFolded(name))),
  };
}
