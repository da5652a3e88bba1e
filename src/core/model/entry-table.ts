import { hashOfFolded } from '../columns/folded-text.ts';
import { hashOf } from '../columns/text-hash.ts';
import type { Entry } from './entry.ts';
import type { GroupIntent } from './group.ts';
import type { HostId } from './host-id.ts';
import { isPrintableAscii } from './host-name.ts';

/** Entries in their order, however they are kept: as objects, or as the text that they were read from. */
export interface EntryTable {
  readonly count: number;
  /** May be made for each call: two of one index are equal, and need not be one object. */
  at(index: number): Entry;
  /** What `at` would say, for less, as no entry is made. */
  idAt(index: number): HostId | undefined;
  nameAt(index: number): string | undefined;
  groupAt(index: number): GroupIntent | undefined;
  /** `hashOf` each id; -1 where an entry has none. */
  idHashes(): Float64Array;
  /** `hashOfFolded` of each name; -1 where an entry has none, and `lookalike` for a name that is not printable ASCII. */
  nameHashes(): Float64Array;
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
    idHashes: () => Float64Array.from(entries, idHash),
    nameHashes: () => Float64Array.from(entries, nameHash),
    isPlainAt: (index) => isPlain(entry(index)),
  };
}

function idHash({ id }: Entry): number {
  return id === undefined ? -1 : hashOf(id);
}

/** In the place of a hash: such a name may look like another that it is not equal to. */
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
