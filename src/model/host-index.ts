import { hashOf } from '../lib/are-distinct.ts';
import { createHashIndex, type HashIndex } from '../lib/hash-index.ts';
import { once } from '../lib/once.ts';
import type { HostId } from './host-id.ts';
import { foldName, hashOfFolded } from './host-name.ts';
import type { ObservedHost } from './observed.ts';

/** From so many hosts on, an index in columns is faster than one in maps. */
export const manyHosts = 10_000;

/** Finds hosts of a list; each part of it is made when it is first asked for. */
export interface HostIndex {
  placeOf(id: HostId): number | undefined;
  /** Both in the order of the list. */
  called(name: string): readonly ObservedHost[];
  folding(folded: string): readonly ObservedHost[];
  /** False only where no two names fold alike. */
  mayFoldAlike(): boolean;
}

const none: readonly ObservedHost[] = [];

export function indexInMaps(hosts: readonly ObservedHost[]): HostIndex {
  const ids = once(() => new Map(hosts.map((host, place) => [host.id, place])));
  const names = once(() => groupHosts(hosts, (name) => name));
  const folded = once(() => groupHosts(hosts, foldName));
  return {
    placeOf: (id) => ids().get(id),
    called: (name) => names().get(name) ?? none,
    folding: (name) => folded().get(name) ?? none,
    mayFoldAlike: () => Array.from(folded().values()).some((alike) => alike.length > 1),
  };
}

/** Nobody has so many names of one hash but one who makes them so. */
const mostAlike = 100;

/** The same by hashes in typed arrays: for 100,000 hosts a quarter of the time of maps, and a sixth of the memory. */
export function indexInColumns(hosts: readonly ObservedHost[]): HostIndex {
  const host = (place: number) => hosts[place] as ObservedHost;
  const ids = once(() => createHashIndex(hosts.length, (place) => hashOf(host(place).id)));
  const names = once(() =>
    createHashIndex(hosts.length, (place) => {
      const { name } = host(place);
      return name === null ? undefined : hashOfFolded(name);
    }),
  );
  const maps = once(() => indexInMaps(hosts));

  return {
    placeOf(id) {
      const index = ids();
      let place = index.first(hashOf(id));
      while (place !== -1 && host(place).id !== id) place = index.next(place);
      return place === -1 ? undefined : place;
    },
    called: (name) => found(names(), hashOfFolded(name), (each) => each === name) ?? maps().called(name),
    folding: (folded) =>
      found(names(), hashOf(folded), (each) => foldName(each) === folded) ?? maps().folding(folded),
    mayFoldAlike: () => names().hasAlike,
  };

  /** Undefined where too many names have this hash. */
  function found(
    index: HashIndex,
    hash: number,
    isMeant: (name: string) => boolean,
  ): readonly ObservedHost[] | undefined {
    let places: ObservedHost[] | undefined;
    let seen = 0;
    for (let place = index.first(hash); place !== -1; place = index.next(place)) {
      seen += 1;
      if (seen > mostAlike) return undefined;
      if (isMeant(host(place).name as string)) (places ??= []).push(host(place));
    }
    return places ?? none;
  }
}

function groupHosts(
  hosts: readonly ObservedHost[],
  key: (name: string) => string,
): ReadonlyMap<string, readonly ObservedHost[]> {
  const map = new Map<string, ObservedHost[]>();
  for (const host of hosts) {
    if (host.name === null) continue;
    const folded = key(host.name);
    const list = map.get(folded);
    if (list === undefined) map.set(folded, [host]);
    else list.push(host);
  }
  return map;
}
