import { createHostIndex } from '../columns/host-index.ts';
import { type HostTable, tableOf } from '../columns/host-table.ts';
import { once } from '../lib/once.ts';
import type { Group, GroupId, HostId } from './ids.ts';
import { temporaryNameMark } from './temporary-name.ts';
import type { WithUnreadable } from './unreadable-host.ts';

/** A host's values in the anti-virus list. */
export interface AntivirusFact {
  readonly installed: boolean;
  /** False if the vendor's product can't be installed on the host. */
  readonly supported: boolean;
  /** Absent in fleets that were saved without these details. */
  readonly details?: AntivirusDetails;
}

/** The other values of the anti-virus list (specification section 2); null if the service reports none. */
export interface AntivirusDetails {
  readonly product: string | null;
  readonly status: string | null;
  readonly realTimeProtection: boolean | null;
  readonly definitionsUpToDate: boolean | null;
  readonly definitionVersion: string | null;
  readonly lastFullScan: string | null;
  readonly threats: number | null;
  /** Whether the host has several products. */
  readonly several: boolean | null;
  readonly build: number | null;
  readonly mac: boolean | null;
}

export interface ObservedHost {
  readonly id: HostId;
  /** Null: the service has no name for the host. */
  readonly name: string | null;
  readonly groupId: GroupId;
  readonly online: boolean;
  /** The computer's own name; not every service reports it. */
  readonly hostName?: string;
  /** The last time it came online or went offline, in the service's own format. */
  readonly stateChangedAt?: string;
  /** Absent if the anti-virus list was not read, or does not have the host. */
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

/** A list that was read, and the time (RFC 3339, UTC). */
export interface ListRead {
  readonly list: ListName;
  readonly at: string;
}

/** The fleet as the lists showed it. Hosts keep the service's order; each access may make a new host object. */
export interface Observed extends WithUnreadable {
  readonly takenAt: string;
  readonly lists: readonly ListRead[];
  readonly groups: readonly Group[];
  readonly count: number;
  at(index: number): ObservedHost;
  /**
   * Values of `at`, without making the host. Keep only names from `at`: one from `nameAt` may keep a larger text in
   * memory.
   */
  idAt(index: number): HostId;
  nameAt(index: number): string | null;
  groupIdAt(index: number): GroupId;
  /** Does the host at this index have exactly this name? */
  hasNameAt(index: number, name: string): boolean;
  /** The index of a host in the list; -1 for an id that the list does not have. */
  indexOf(id: HostId): number;
  byId(id: HostId): ObservedHost | undefined;
  /** Hosts with exactly this name; the service should not allow two, but lists have shown them. */
  byName(name: string): readonly ObservedHost[];
  byFoldedName(folded: string): readonly ObservedHost[];
  /** Hosts whose names contain the mark of temporary names, in the order of the list. */
  withTemporaryNames(): readonly ObservedHost[];
  /** Do any two hosts have names that fold alike? */
  hasNamesAlike(): boolean;
  /** Ids that several hosts have, each once. The service should not allow any, but lists have shown them. */
  repeatedIds(): readonly HostId[];
  groupById(id: GroupId): Group | undefined;
}

export interface ObservedParts extends WithUnreadable {
  readonly takenAt: string;
  readonly lists: readonly ListRead[];
  readonly groups: readonly Group[];
  readonly hosts: readonly ObservedHost[];
}

export function observe({ hosts, ...parts }: ObservedParts): Observed {
  return observeTable(tableOf(hosts), parts);
}

export function observeTable(hosts: HostTable<ObservedHost>, parts: Omit<ObservedParts, 'hosts'>): Observed {
  const groups = new Map(parts.groups.map((group) => [group.id, group]));
  const index = createHostIndex(hosts);
  let expected = 0;
  // Files mostly keep the order of the list, so the host after the last match is tried before the index is built.
  const indexOf = (id: HostId): number => {
    const at = expected < hosts.count && hosts.hasIdAt(expected, id) ? expected : index.indexOf(id);
    if (at !== -1) expected = at + 1;
    return at;
  };
  const withMark = once(() => hosts.indexesNaming(temporaryNameMark));
  const hostsAt = (indexes: readonly number[]) => indexes.map((at) => hosts.at(at));
  return {
    ...parts,
    count: hosts.count,
    at: (at) => hosts.at(at),
    idAt: (at) => hosts.idAt(at),
    nameAt: (at) => hosts.nameAt(at),
    groupIdAt: (at) => hosts.groupIdAt(at),
    hasNameAt: (at, name) => hosts.hasNameAt(at, name),
    indexOf,
    byId(id) {
      const at = indexOf(id);
      return at === -1 ? undefined : hosts.at(at);
    },
    byName: (name) => hostsAt(index.withName(name)),
    byFoldedName: (folded) => hostsAt(index.folding(folded)),
    withTemporaryNames: () => hostsAt(withMark()),
    hasNamesAlike: () => index.hasNamesAlike(),
    repeatedIds: () => index.repeatedIds() as readonly HostId[],
    groupById: (id) => groups.get(id),
  };
}

export function hostsOf(observed: Observed): readonly ObservedHost[] {
  return Array.from({ length: observed.count }, (_, index) => observed.at(index));
}

/** When the list of hosts and groups was read, in milliseconds since the epoch. */
export function listedAt({ lists, takenAt }: Pick<Observed, 'lists' | 'takenAt'>): number {
  return Date.parse(lists.find(({ list }) => list === 'hosts-with-groups')?.at ?? takenAt);
}
