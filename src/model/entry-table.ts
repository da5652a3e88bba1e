import { hashOf } from '../lib/text-hash.ts';
import type { Entry } from './desired.ts';
import type { GroupWish } from './group.ts';
import type { HostId } from './host-id.ts';
import { hashOfFolded, isPrintableAscii } from './host-name.ts';

/** Entries in their order, however they are kept: as objects, or as the text that they were read from. */
export interface EntryTable {
  readonly count: number;
  /** May be made for each call: two of one index are equal, and need not be one object. */
  at(index: number): Entry;
  /** What `at` would say, for less, as no entry is made. */
  idAt(index: number): HostId | undefined;
  nameAt(index: number): string | undefined;
  groupAt(index: number): GroupWish | undefined;
  /** `hashOf` its id; undefined where it has none. */
  idHashAt(index: number): number | undefined;
  /** `hashOfFolded` of its name; undefined where it has none, and -1 for a name that is not printable ASCII. */
  nameHashAt(index: number): number | undefined;
  /** Does it ask for nothing but the name and the group of a host that is to stay? */
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
    idHashAt: (index) => hashOfId(entry(index).id),
    nameHashAt: (index) => hashOfName(entry(index).name),
    isPlainAt: (index) => isPlain(entry(index)),
  };
}

export function hashOfId(id: HostId | undefined): number | undefined {
  return id === undefined ? undefined : hashOf(id);
}

export function hashOfName(name: string | undefined): number | undefined {
  if (name === undefined) return undefined;
  return isPrintableAscii(name) ? hashOfFolded(name) : -1;
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
