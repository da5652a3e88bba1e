import { createHashIndex, type HashIndex } from '../lib/hash-index.ts';
import { once } from '../lib/once.ts';
import { hashOf } from '../lib/text-hash.ts';
import type { HostId } from './host-id.ts';
import { foldName, hashOfFolded } from './host-name.ts';
import type { HostTable } from './host-table.ts';

/** From so many hosts on, columns are faster than objects and maps. */
export const manyHosts = 10_000;

/** Finds the places of hosts in a list; each part of it is made when it is first asked for. */
export interface HostIndex {
  placeOf(id: HostId): number | undefined;
  /** Both in the order of the list. */
  called(name: string): readonly number[];
  folding(folded: string): readonly number[];
  /** False only where no two names fold alike. */
  mayFoldAlike(): boolean;
  /** False only where no two hosts have one id. */
  mayRepeatIds(): boolean;
}

const none: readonly number[] = [];

export function indexInMaps(hosts: HostTable): HostIndex {
  const ids = once(() => placesById(hosts));
  const names = once(() => groupPlaces(hosts, (name) => name));
  const folded = once(() => groupPlaces(hosts, foldName));
  return {
    placeOf: (id) => ids().get(id),
    called: (name) => names().get(name) ?? none,
    folding: (name) => folded().get(name) ?? none,
    mayFoldAlike: () => Array.from(folded().values()).some((alike) => alike.length > 1),
    mayRepeatIds: () => ids().size < hosts.count,
  };
}

/** Nobody has so many names of one hash but one who makes them so. */
const mostAlike = 100;

/** The same by hashes in typed arrays: for 100,000 hosts a quarter of the time of maps, and a sixth of the memory. */
export function indexInColumns(hosts: HostTable): HostIndex {
  const ids = once(() => createHashIndex(hosts.idHashes()));
  const names = once(() => createHashIndex(hosts.nameHashes()));
  const maps = once(() => indexInMaps(hosts));

  return {
    placeOf(id) {
      const index = ids();
      let place = index.first(hashOf(id));
      while (place !== -1 && !hosts.hasIdAt(place, id)) place = index.next(place);
      return place === -1 ? undefined : place;
    },
    called: (name) =>
      found(names(), hashOfFolded(name), (place) => hosts.isCalledAt(place, name)) ?? maps().called(name),
    folding: (folded) =>
      found(names(), hashOf(folded), (place) => foldName(hosts.nameAt(place) ?? '') === folded) ??
      maps().folding(folded),
    mayFoldAlike: () => names().hasAlike,
    mayRepeatIds: () => ids().hasAlike,
  };
}

/** Undefined where too many places have this hash. */
function found(
  index: HashIndex,
  hash: number,
  isMeant: (place: number) => boolean,
): readonly number[] | undefined {
  let places: number[] | undefined;
  let seen = 0;
  for (let place = index.first(hash); place !== -1; place = index.next(place)) {
    seen += 1;
    if (seen > mostAlike) return undefined;
    if (isMeant(place)) (places ??= []).push(place);
  }
  return places ?? none;
}

/** A list that is no base for a plan may have two of one id: then the last. */
function placesById(hosts: HostTable): ReadonlyMap<HostId, number> {
  const places = new Map<HostId, number>();
  for (let place = 0; place < hosts.count; place += 1) places.set(hosts.idAt(place), place);
  return places;
}

function groupPlaces(
  hosts: HostTable,
  key: (name: string) => string,
): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (let place = 0; place < hosts.count; place += 1) {
    const name = hosts.nameAt(place);
    if (name === null) continue;
    const folded = key(name);
    const list = places.get(folded);
    if (list === undefined) places.set(folded, [place]);
    else list.push(place);
  }
  return places;
}
