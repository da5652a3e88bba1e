import { type EntryAttribute, type EntryTable, entryTable } from '../../core/model/entry.ts';
import type { FilePosition, Place } from '../../core/problem/problem.ts';
import type { SourceText } from '../sources/source-text.ts';
import { entrySpans } from './entry-spans.ts';
import type { PlacedEntry } from './read-entry.ts';

/** Entries in order with their places. Indexes start at 0. */
export interface PlacedEntries extends EntryTable {
  /** The place of an entry, or of its value of an attribute. */
  placeOf(index: number, attribute?: EntryAttribute): Place;
  /** The same without the source line, which is cheaper. */
  positionOf(index: number, attribute?: EntryAttribute): FilePosition;
}

/** The entries that were read from one source. */
export function placedEntries(source: SourceText, list: readonly PlacedEntry[]): PlacedEntries {
  const spanOf = entrySpans(list.map(({ node }) => node));
  return {
    ...entryTable(list.map(({ entry }) => entry)),
    placeOf: (index, attribute) => source.placeOf(spanOf(index, attribute)),
    positionOf: (index, attribute) => source.positionOf(spanOf(index, attribute)),
  };
}

/** The entries of several lists, one list after another. */
export function joinEntries(lists: readonly PlacedEntries[]): PlacedEntries {
  const filled = lists.filter(({ count }) => count > 0);
  const [only] = filled;
  if (only !== undefined && filled.length === 1) return only;
  const count = filled.reduce((sum, list) => sum + list.count, 0);
  const listOf = new Uint32Array(count);
  const starts: number[] = [];
  let next = 0;
  for (const list of filled) {
    listOf.fill(starts.length, next, next + list.count);
    starts.push(next);
    next += list.count;
  }
  const ask = <T>(index: number, question: (list: PlacedEntries, own: number) => T): T => {
    const at = listOf[index] as number;
    return question(filled[at] as PlacedEntries, index - (starts[at] as number));
  };
  return {
    count,
    at: (index) => ask(index, (list, own) => list.at(own)),
    idAt: (index) => ask(index, (list, own) => list.idAt(own)),
    nameAt: (index) => ask(index, (list, own) => list.nameAt(own)),
    groupAt: (index) => ask(index, (list, own) => list.groupAt(own)),
    hasIdsInOrder: () => false,
    idHashes: () => joined(filled.map((list) => list.idHashes())),
    nameHashes: () => joined(filled.map((list) => list.nameHashes())),
    isPlainAt: (index) => ask(index, (list, own) => list.isPlainAt(own)),
    placeOf: (index, attribute) => ask(index, (list, own) => list.placeOf(own, attribute)),
    positionOf: (index, attribute) => ask(index, (list, own) => list.positionOf(own, attribute)),
  };
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
