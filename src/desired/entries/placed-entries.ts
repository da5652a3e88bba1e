import type { Entry, EntryAttribute } from '../../model/desired.ts';
import type { Place } from '../../problem/place.ts';
import { type PlacedEntry, placeOfEntry } from './read-entry.ts';

/** Entries in their order, numbered without gaps, and where they stand. */
export interface PlacedEntries {
  readonly entries: readonly Entry[];
  /** Where one of them stands, or what it says of an attribute. */
  placeOf(entry: Entry, attribute?: EntryAttribute): Place;
}

export function placedEntries(list: readonly PlacedEntry[]): PlacedEntries {
  const first = list[0]?.entry.index ?? 0;
  return {
    entries: list.map(({ entry }) => entry),
    placeOf: ({ index }, attribute) => placeOfEntry(list[index - first] as PlacedEntry, attribute),
  };
}

/** The entries of lists that are numbered one after another. */
export function joinEntries(lists: readonly PlacedEntries[]): PlacedEntries {
  const filled = lists.filter(({ entries }) => entries.length > 0);
  const [only] = filled;
  if (only !== undefined && filled.length === 1) return only;
  return {
    entries: filled.flatMap(({ entries }) => entries),
    placeOf(entry, attribute) {
      const home = filled.findLast(({ entries }) => (entries[0] as Entry).index <= entry.index);
      return (home as PlacedEntries).placeOf(entry, attribute);
    },
  };
}
