import { hashesOf } from '../../core/columns/text-hash.ts';
import type { Entry, EntryAttribute } from '../../core/model/entry.ts';
import { type EntryTable, idHash, nameHash } from '../../core/model/entry-table.ts';
import type { GroupIntent } from '../../core/model/group.ts';
import type { HostId } from '../../core/model/host-id.ts';
import { composeEntry } from '../entries/compose-entry.ts';
import { groupCalled } from './group-called.ts';
import type { PlainRow } from './plain-rows.ts';

/** The entries of a table: plain ones are kept as the places of their cells in the text, all others as objects. */
export interface TableColumns extends EntryTable {
  addPlain(row: PlainRow): void;
  add(entry: Entry, start: number, line: number): void;
  /** Where its row begins in the text, and in which line. */
  startAt(index: number): number;
  lineAt(index: number): number;
  /** Where the cell begins that says so of an attribute, or else the first that says anything; undefined for an entry that is not plain. */
  cellAt(index: number, attribute: EntryAttribute | undefined): number | undefined;
}

/**
 * For up to `most` entries of a text, the first of which has the number `firstIndex`. A plain entry takes 33 bytes here,
 * and is made when somebody asks for it.
 */
export function tableColumns(
  text: string,
  units: Uint8Array,
  most: number,
  firstIndex: number,
): TableColumns {
  const starts = new Uint32Array(most);
  const lines = new Uint32Array(most);
  const idStarts = new Uint32Array(most);
  const idEnds = new Uint32Array(most);
  const nameStarts = new Uint32Array(most);
  const nameEnds = new Uint32Array(most);
  const groupStarts = new Uint32Array(most);
  /** By place in `wishes`; 0 for no wish. */
  const groups = new Uint32Array(most);
  const intents: (GroupIntent | undefined)[] = [undefined];
  const placesOfIntents = new Map<string, number>();
  const isKept = new Uint8Array(most);
  const kept = new Map<number, Entry>();
  let count = 0;

  const placeOfIntent = (name: string): number => {
    const known = placesOfIntents.get(name);
    if (known !== undefined) return known;
    const place = intents.push(groupCalled(name)) - 1;
    placesOfIntents.set(name, place);
    return place;
  };
  const entryKept = (index: number) => kept.get(index) as Entry;
  const cell = (start: number, end: number) => (end === 0 ? undefined : text.slice(start, end));
  const idCell = (index: number) => cell(idStarts[index] as number, idEnds[index] as number) as HostId;
  const nameCell = (index: number) => cell(nameStarts[index] as number, nameEnds[index] as number);

  const begin = (start: number, line: number) => {
    starts[count] = start;
    lines[count] = line;
    count += 1;
    return count - 1;
  };

  return {
    get count() {
      return count;
    },
    addPlain(row) {
      const index = begin(row.start, row.line);
      if (row.idEnd !== 0) {
        idStarts[index] = row.idStart;
        idEnds[index] = row.idEnd;
      }
      if (row.nameEnd !== 0) {
        nameStarts[index] = row.nameStart;
        nameEnds[index] = row.nameEnd;
      }
      if (row.groupEnd !== 0) {
        groupStarts[index] = row.groupStart;
        groups[index] = placeOfIntent(text.slice(row.groupStart, row.groupEnd));
      }
    },
    add(entry, start, line) {
      const index = begin(start, line);
      isKept[index] = 1;
      kept.set(index, entry);
    },
    startAt: (index) => starts[index] as number,
    lineAt: (index) => lines[index] as number,
    cellAt(index, attribute) {
      if (isKept[index] === 1) return undefined;
      const id = idStarts[index] as number;
      const name = nameStarts[index] as number;
      const group = groupStarts[index] as number;
      const own = attribute === 'id' ? id : attribute === 'name' ? name : attribute === 'group' ? group : 0;
      return own === 0 ? Math.min(...[id, name, group].filter((start) => start !== 0)) : own;
    },
    at: (index) =>
      isKept[index] === 1
        ? entryKept(index)
        : composeEntry(firstIndex + index, {
            ...nothing,
            id: idCell(index),
            name: nameCell(index),
            group: intents[groups[index] as number],
          }),
    idAt: (index) => (isKept[index] === 1 ? entryKept(index).id : idCell(index)),
    nameAt: (index) => (isKept[index] === 1 ? entryKept(index).name : nameCell(index)),
    groupAt: (index) => (isKept[index] === 1 ? entryKept(index).group : intents[groups[index] as number]),
    idHashes() {
      const hashes = hashesOf(units, { starts: idStarts, ends: idEnds, count });
      for (const [index, entry] of kept) hashes[index] = idHash(entry);
      return hashes;
    },
    nameHashes() {
      const hashes = hashesOf(units, { starts: nameStarts, ends: nameEnds, count }, true);
      for (const [index, entry] of kept) hashes[index] = nameHash(entry);
      return hashes;
    },
    isPlainAt: (index) => isKept[index] === 0,
  };
}

const nothing = {
  current: undefined,
  previously: undefined,
  antivirus: undefined,
  ensure: undefined,
  deleteAfter: undefined,
};
