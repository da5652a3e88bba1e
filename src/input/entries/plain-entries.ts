import { type PlainColumn, plainColumns } from '../../core/columns/table/plain-row.ts';
import type { RowColumns } from '../../core/columns/table/row-columns.ts';
import { type EntryAttribute, lookalike } from '../../core/model/entry.ts';
import type { GroupIntent, HostId } from '../../core/model/observed.ts';
import { hasErrors } from '../../core/problem/problem.ts';
import { createProblemList } from '../values/problem-list.ts';
import type { Reading } from '../values/reading.ts';
import { composeEntry } from './compose-entry.ts';
import { type PlacedEntries, placedEntries } from './placed-entries.ts';
import type { PlacedEntry } from './read-entry.ts';

/** How the rows of one format are read. */
interface RowReaders {
  /** Reads a row that is not plain, by its position among such rows. */
  other(reading: Reading, position: number, index: number): PlacedEntry | undefined;
  /** The meaning of a plain group. */
  group(name: string): GroupIntent;
}

/**
 * The entries of all rows of a text. Those of plain rows are made on request; all others are kept. Undefined if a row
 * has an error: then all rows must be read to explain it.
 */
export function plainEntries(
  reading: Reading,
  rows: RowColumns,
  firstIndex: number,
  read: RowReaders,
): PlacedEntries | undefined {
  const { source } = reading;
  const problems = createProblemList();
  const list: PlacedEntry[] = [];
  for (const [position, index] of rows.others.entries()) {
    const placed = read.other({ ...reading, problems }, position, firstIndex + index);
    if (placed === undefined || problems.isFull()) return undefined;
    list.push(placed);
  }
  if (reading.problems.isFull() || hasErrors(problems.all())) return undefined;
  for (const each of problems.all()) reading.problems.add(each);

  const others = placedEntries(source, list);
  const positions = new Map(rows.others.map((index, position) => [index, position]));
  const position = (index: number) => positions.get(index) as number;
  const intents: (GroupIntent | undefined)[] = [];
  const groupAt = (index: number): GroupIntent | undefined => {
    const group = rows.groupAt(index);
    return group === 0 ? undefined : (intents[group] ??= read.group(rows.groups[group] as string));
  };
  const idAt = (index: number) => rows.idAt(index) as HostId | undefined;
  const spanAt = (index: number, attribute?: EntryAttribute) =>
    rows.spanAt(index, isPlainColumn(attribute) ? attribute : undefined);
  const merge = (plain: Float64Array, kept: Float64Array): Float64Array => {
    for (const [at, index] of rows.others.entries()) plain[index] = kept[at] as number;
    return plain;
  };

  return {
    count: rows.count,
    at(index) {
      if (!rows.isPlainAt(index)) return others.at(position(index));
      const values = { id: idAt(index), name: rows.nameAt(index), group: groupAt(index) };
      return composeEntry(firstIndex + index, values);
    },
    idAt: (index) => (rows.isPlainAt(index) ? idAt(index) : others.idAt(position(index))),
    nameAt: (index) => (rows.isPlainAt(index) ? rows.nameAt(index) : others.nameAt(position(index))),
    groupAt: (index) => (rows.isPlainAt(index) ? groupAt(index) : others.groupAt(position(index))),
    hasIdsInOrder: () => rows.others.length === 0 && rows.hasIdsInOrder(),
    idHashes: () => merge(rows.idHashes(), others.idHashes()),
    nameHashes() {
      const hashes = rows.nameHashes();
      for (let index = 0; index < hashes.length; index += 1) {
        if (hashes[index] === -1 && rows.nameAt(index) !== undefined) hashes[index] = lookalike;
      }
      return merge(hashes, others.nameHashes());
    },
    isPlainAt: (index) => rows.isPlainAt(index) || others.isPlainAt(position(index)),
    placeOf: (index, attribute) =>
      rows.isPlainAt(index)
        ? source.placeOf(spanAt(index, attribute))
        : others.placeOf(position(index), attribute),
    positionOf(index, attribute) {
      if (!rows.isPlainAt(index)) return others.positionOf(position(index), attribute);
      const { start, line } = spanAt(index, attribute);
      return { file: source.file, line, col: start - source.text.lastIndexOf('\n', start - 1) };
    },
  };
}

function isPlainColumn(attribute?: EntryAttribute): attribute is PlainColumn {
  return plainColumns.some((column) => column === attribute);
}
