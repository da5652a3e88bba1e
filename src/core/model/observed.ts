import type { Group, GroupId } from './group.ts';
import type { HostId } from './host-id.ts';
import { indexInColumns, indexInMaps, manyHosts } from './host-index.ts';
import { type HostTable, tableOf } from './host-table.ts';
import type { UnreadableHost } from './unreadable-host.ts';

/** What the anti-virus list says of a host. */
export interface AntivirusFact {
  readonly installed: boolean;
  /** False where the vendor's product can't be installed on it. */
  readonly supported: boolean;
  /** Absent in fleets that were saved without it. */
  readonly details?: AntivirusDetails;
}

/** The rest of the anti-virus list (spec section 2); null where the service says nothing. */
export interface AntivirusDetails {
  readonly product: string | null;
  readonly status: string | null;
  readonly realTimeProtection: boolean | null;
  readonly definitionsUpToDate: boolean | null;
  readonly definitionVersion: string | null;
  readonly lastFullScan: string | null;
  readonly threats: number | null;
  /** Several products are on the host. */
  readonly several: boolean | null;
  readonly build: number | null;
  readonly mac: boolean | null;
}

export interface ObservedHost {
  readonly id: HostId;
  /** Null: the service knows the host and has no name for it. */
  readonly name: string | null;
  readonly groupId: GroupId;
  readonly online: boolean;
  /** What the computer calls itself; not every service tells. */
  readonly hostName?: string;
  /** When it last came online or went offline, as the service writes it. */
  readonly stateChangedAt?: string;
  /** Absent where the anti-virus list was not read, or did not name the host. */
  readonly antivirus?: AntivirusFact;
}

export type ListName =
  | 'hosts-with-groups'
  | 'hosts'
  | 'antivirus-details'
  | 'custom-field-categories'
  | 'custom-fields'
  | 'hardware-inventory'
  | 'system-inventory';

/** A list that was read, and when (RFC 3339, UTC). */
export interface ListRead {
  readonly list: ListName;
  readonly at: string;
}

/** The fleet as the lists showed it. Hosts keep the service's order; a host may be made anew whenever it is asked for. */
export interface Observed {
  readonly takenAt: string;
  readonly lists: readonly ListRead[];
  readonly groups: readonly Group[];
  readonly count: number;
  at(place: number): ObservedHost;
  /** What `at` would say, for less, as no host is made. A name for a look: keep that of `at`, as this one may hold on to more text. */
  idAt(place: number): HostId;
  nameAt(place: number): string | null;
  groupIdAt(place: number): GroupId;
  /** Is the host at this place called exactly so? Not even the name is made. */
  isCalledAt(place: number, name: string): boolean;
  /** Does the name of the host at this place, or "", begin so? Absent where that takes as long as to make the name. */
  nameBeginsAt?(place: number, text: string): boolean;
  /** Where a host is in the list; absent in views that change, or hold only a part. */
  placeOf?(id: HostId): number | undefined;
  byId(id: HostId): ObservedHost | undefined;
  /** Hosts of exactly this name; the service allows no two, but lists have shown them. */
  byName(name: string): readonly ObservedHost[];
  byFoldedName(folded: string): readonly ObservedHost[];
  /** Hosts that have a text of ASCII in their names, in the order of the list. */
  naming(part: string): readonly ObservedHost[];
  /** False only where no two hosts have names that fold alike; absent where that is not known. */
  mayFoldAlike?(): boolean;
  /** False only where no two hosts have one id; absent where that is not known. */
  mayRepeatIds?(): boolean;
  groupById(id: GroupId): Group | undefined;
  /** Hosts of the list that break the contract: they are in nothing else here. Absent where there are none. */
  readonly unreadable?: readonly UnreadableHost[];
}

export interface ObservedParts {
  readonly takenAt: string;
  readonly lists: readonly ListRead[];
  readonly groups: readonly Group[];
  readonly hosts: readonly ObservedHost[];
  readonly unreadable?: readonly UnreadableHost[];
}

export function observe({ hosts, ...parts }: ObservedParts): Observed {
  return observeTable(tableOf(hosts), parts);
}

export function observeTable(hosts: HostTable, parts: Omit<ObservedParts, 'hosts'>): Observed {
  const groups = new Map(parts.groups.map((group) => [group.id, group]));
  const index = hosts.count < manyHosts ? indexInMaps(hosts) : indexInColumns(hosts);
  let expected = 0;
  // Files mostly keep the order of the list: the host behind the last one found is looked at before any index is made.
  const placeOf = (id: HostId): number | undefined => {
    const place = expected < hosts.count && hosts.hasIdAt(expected, id) ? expected : index.placeOf(id);
    if (place !== undefined) expected = place + 1;
    return place;
  };
  const hostsAt = (places: readonly number[]) => places.map((place) => hosts.at(place));
  return {
    ...parts,
    ...byPlace(hosts),
    nameBeginsAt: (place, text) => hosts.nameBeginsAt(place, text),
    placeOf,
    byId(id) {
      const place = placeOf(id);
      return place === undefined ? undefined : hosts.at(place);
    },
    byName: (name) => hostsAt(index.called(name)),
    byFoldedName: (folded) => hostsAt(index.folding(folded)),
    mayFoldAlike: () => index.mayFoldAlike(),
    mayRepeatIds: () => index.mayRepeatIds(),
    groupById: (id) => groups.get(id),
  };
}

type ByPlace = Pick<Observed, 'count' | 'at' | 'idAt' | 'nameAt' | 'groupIdAt' | 'isCalledAt' | 'naming'>;

/** The part of a view that asks for hosts by their places alone. */
export function byPlace(hosts: HostTable): ByPlace {
  return {
    count: hosts.count,
    at: (place) => hosts.at(place),
    idAt: (place) => hosts.idAt(place),
    nameAt: (place) => hosts.nameAt(place),
    groupIdAt: (place) => hosts.groupIdAt(place),
    isCalledAt: (place, name) => hosts.isCalledAt(place, name),
    naming: (part) => hosts.placesNaming(part).map((place) => hosts.at(place)),
  };
}

export function hostsOf(observed: Observed): readonly ObservedHost[] {
  return Array.from({ length: observed.count }, (_, index) => observed.at(index));
}

/** When the list of hosts and groups was read, in milliseconds since the epoch. */
export function listedAt({ lists, takenAt }: Pick<Observed, 'lists' | 'takenAt'>): number {
  return Date.parse(lists.find(({ list }) => list === 'hosts-with-groups')?.at ?? takenAt);
}
