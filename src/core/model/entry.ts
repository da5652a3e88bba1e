import { hashOf, hashOfFolded } from '../columns/text-hash.ts';
import { isPrintableAscii } from './host-name.ts';
import type { GroupIntent, HostId } from './observed.ts';

/** One item under `hosts:`. An attribute that is absent is not managed. */
export interface Entry {
  /** Its index among all entries of all files. */
  readonly index: number;
  readonly id?: HostId;
  readonly name?: string;
  /** The key of the host, as `Identity` reads it of hosts. */
  readonly key?: string;
  /** The name that the host must have now, unless it already has the name that the entry requests. */
  readonly current?: string;
  readonly previously: readonly string[];
  readonly group?: GroupIntent;
  readonly antivirus: boolean;
  readonly ensure: 'present' | 'absent';
  /** RFC 3339: an absent host is deleted at this time or later. */
  readonly deleteAfter?: string;
  /** The changes that no plan may make to this host. */
  readonly protect?: readonly ProtectedFrom[];
  /** Attributes that may differ: plans and drift ignore them. */
  readonly ignore?: readonly IgnoredAttribute[];
}

export const ignoredAttributes = ['name', 'group', 'antivirus'] as const;

export type IgnoredAttribute = (typeof ignoredAttributes)[number];

export const protectedFrom = ['delete', 'rename', 'move'] as const;

export type ProtectedFrom = (typeof protectedFrom)[number];

export type EntryAttribute = Exclude<keyof Entry, 'index'>;

/** Entries in order, kept as objects or as the text they were read from. */
export interface EntryTable {
  readonly count: number;
  /** May make a new object for each call: two results for one index are equal, but need not be identical. */
  at(index: number): Entry;
  /** Values of `at`, without making the entry. */
  idAt(index: number): HostId | undefined;
  nameAt(index: number): string | undefined;
  groupAt(index: number): GroupIntent | undefined;
  /** Is each id certainly greater than all before it of its length? Then no two are equal. */
  hasIdsInOrder(): boolean;
  /** `hashOf` each id; -1 for an entry without one. */
  idHashes(): Float64Array;
  /** `hashOfFolded` each name; -1 for an entry without one, and `lookalike` for a name that is not printable ASCII. */
  nameHashes(): Float64Array;
  /** Does the entry set only the name and the group of a host that it keeps? */
  isPlainAt(index: number): boolean;
}

export function entryTable(entries: readonly Entry[]): EntryTable {
  const entry = (index: number) => entries[index] as Entry;
  return {
    count: entries.length,
    at: entry,
    idAt: (index) => entry(index).id,
    nameAt: (index) => entry(index).name,
    groupAt: (index) => entry(index).group,
    hasIdsInOrder: () => false,
    idHashes: () => Float64Array.from(entries, idHash),
    nameHashes: () => Float64Array.from(entries, nameHash),
    isPlainAt: (index) => isPlain(entry(index)),
  };
}

function idHash({ id }: Entry): number {
  return id === undefined ? -1 : hashOf(id);
}

/** Stands for a hash: such a name may look like another name without being equal to it. */
export const lookalike = -2;

function nameHash({ name }: Entry): number {
  if (name === undefined) return -1;
  return isPrintableAscii(name) ? hashOfFolded(name) : lookalike;
}

function isPlain({ current, previously, antivirus, ensure, protect, ignore }: Entry): boolean {
  return (
    ensure === 'present' &&
    !antivirus &&
    current === undefined &&
    previously.length === 0 &&
    protect === undefined &&
    ignore === undefined
  );
}
