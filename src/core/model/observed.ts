import { createHostIndex } from '../columns/host-index.ts';
import { type HostTable, tableOf } from '../columns/host-table.ts';
import { isInt64 } from '../lib/int64.ts';
import { once } from '../lib/once.ts';
import { type Problem, warning } from '../problem/problem.ts';

/** A host's id: a 64-bit signed integer in canonical decimal form, a string so that it is never rounded. */
export type HostId = string & { readonly __brand: 'HostId' };

export function toHostId(text: string): HostId | undefined {
  return isInt64(text) ? (text as HostId) : undefined;
}

/** A group's id in canonical decimal form. */
export type GroupId = string & { readonly __brand: 'GroupId' };

/** The service's group for hosts without a group; its name is null. */
export const ungroupedId = '-1' as GroupId;

export interface Group {
  readonly id: GroupId;
  readonly name: string | null;
}

/** The group that an entry requests: by name, by id, or null for no group. */
export type GroupIntent =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'id'; readonly id: GroupId }
  | { readonly kind: 'ungrouped' };

export function toGroupId(text: string): GroupId | undefined {
  return isInt64(text) ? (text as GroupId) : undefined;
}

/** A host whose form in the list breaks the contract: nothing is known about it, and nothing is done to it. */
export interface UnreadableHost {
  /** Its index in the list, from 0. */
  readonly position: number;
  /** Absent if not even the id can be read. Then it may be any host that is not listed elsewhere. */
  readonly id?: HostId;
  /** Absent if it can't be read; null if the service has no name for it. */
  readonly name?: string | null;
  /** What is wrong with it, in the words of the contract. */
  readonly why: string;
}

export interface WithUnreadable {
  /** Hosts of the list that break the contract. They are in no other part of the fleet. Absent if there are none. */
  readonly unreadable?: readonly UnreadableHost[];
  /** Entries of the anti-virus list that break the contract: whether these hosts have the anti-virus is unknown. */
  readonly unreadableAntivirus?: readonly UnreadableHost[];
}

/** May an unreadable host of the list have this id, which none of the readable hosts has? */
export function mayBeUnreadable({ unreadable = [] }: WithUnreadable, id: HostId): boolean {
  return unreadable.some((each) => each.id === undefined || each.id === id);
}

/** For copying to another fleet object. */
export function unreadableOf({ unreadable = [], unreadableAntivirus = [] }: WithUnreadable): WithUnreadable {
  return {
    ...(unreadable.length === 0 ? {} : { unreadable }),
    ...(unreadableAntivirus.length === 0 ? {} : { unreadableAntivirus }),
  };
}

export function unreadableWords({ id, position }: UnreadableHost): string {
  return id === undefined ? `the host at position ${position + 1} of the list` : `host ${id}`;
}

/** The problem that names it, for everyone who reads the fleet. */
export function unreadableHost(host: UnreadableHost): Problem {
  return warning(
    'unreadable-host',
    `${unreadableWords(host)} can't be read (${host.why}), so it is left unchanged`,
    {
      hint: "try again; if this persists, contact the service's support",
      ...(host.id === undefined ? {} : { hostIds: [host.id] }),
    },
  );
}

/** Names a host whose entry in the anti-virus list can't be read. */
export function unreadableAntivirus(host: UnreadableHost): Problem {
  return warning(
    'unreadable-host',
    `the anti-virus list has ${unreadableWords(host)} in a form that can't be read (${host.why}): its anti-virus is unknown, and none is installed`,
    {
      hint: "try again; if this persists, contact the service's support",
      ...(host.id === undefined ? {} : { hostIds: [host.id] }),
    },
  );
}

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

/** Every temporary name contains it, and hardly any other name does. */
export const temporaryNameMark = ' ~rampart';

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
