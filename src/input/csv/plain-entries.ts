import type { PlainColumn, RowColumns, TextSpan } from '../../core/columns/table/row-columns.ts';
import { type EntryAttribute, lookalike } from '../../core/model/entry.ts';
import type { GroupIntent, HostId } from '../../core/model/observed.ts';
import { composeEntry } from '../entries/compose-entry.ts';
import type { PlacedEntries } from '../entries/placed-entries.ts';
import { placeInLine, type SourceText } from '../sources/source-text.ts';
import { noGroup } from './columns.ts';
import { placeInTable, type Row } from './split-csv.ts';

/** Entries of rows that are not plain, and the indexes of those rows. */
interface OtherEntries {
  readonly firstIndex: number;
  readonly others: PlacedEntries;
  readonly indexes: readonly number[];
}

const plainColumns: readonly PlainColumn[] = ['id', 'name', 'group'];

/** The entries of all rows of a table. Those of plain rows are made on request; all others are kept. */
export function plainEntries(
  source: SourceText,
  header: Row,
  rows: RowColumns,
  { firstIndex, others, indexes }: OtherEntries,
): PlacedEntries {
  const positions = new Map(indexes.map((index, position) => [index, position]));
  const labels = new Map(header.cells.map(({ text }) => [text.toLowerCase(), text]));
  const intents: (GroupIntent | undefined)[] = [];
  const groupAt = (index: number): GroupIntent | undefined => {
    const group = rows.groupAt(index);
    return group === 0 ? undefined : (intents[group] ??= groupCalled(rows.groups[group] as string));
  };
  const ask = <T>(index: number, plain: () => T, other: (position: number) => T): T =>
    rows.isPlainAt(index) ? plain() : other(positions.get(index) as number);
  const idAt = (index: number) => rows.idAt(index) as HostId | undefined;

  /** The cell of an attribute, or else the first cell that is not empty. */
  const cellAt = (index: number, attribute?: EntryAttribute): [PlainColumn, TextSpan] => {
    const own = plainColumns.find((column) => column === attribute);
    const cell = own && rows.cellAt(index, own);
    if (own !== undefined && cell !== undefined) return [own, cell];
    const filled = plainColumns
      .map((column) => [column, rows.cellAt(index, column)] as const)
      .filter((each): each is [PlainColumn, TextSpan] => each[1] !== undefined)
      .sort(([, a], [, b]) => a.start - b.start);
    return filled[0] as [PlainColumn, TextSpan];
  };

  const merge = (plain: Float64Array, kept: Float64Array): Float64Array => {
    for (const [position, index] of indexes.entries()) plain[index] = kept[position] as number;
    return plain;
  };

  return {
    count: rows.count,
    at: (index) =>
      ask(
        index,
        () =>
          composeEntry(firstIndex + index, {
            id: idAt(index),
            name: rows.nameAt(index),
            group: groupAt(index),
          }),
        others.at,
      ),
    idAt: (index) => (rows.isPlainAt(index) ? idAt(index) : others.idAt(positions.get(index) as number)),
    nameAt: (index) =>
      rows.isPlainAt(index) ? rows.nameAt(index) : others.nameAt(positions.get(index) as number),
    groupAt: (index) =>
      rows.isPlainAt(index) ? groupAt(index) : others.groupAt(positions.get(index) as number),
    idHashes: () => merge(rows.idHashes(), others.idHashes()),
    nameHashes() {
      const hashes = rows.nameHashes();
      for (let index = 0; index < hashes.length; index += 1) {
        if (hashes[index] === -1 && rows.nameAt(index) !== undefined) hashes[index] = lookalike;
      }
      return merge(hashes, others.nameHashes());
    },
    isPlainAt: (index) => rows.isPlainAt(index) || others.isPlainAt(positions.get(index) as number),
    placeOf: (index, attribute) =>
      ask(
        index,
        () => {
          const [column, cell] = cellAt(index, attribute);
          const start = rows.startAt(index);
          const number = rows.lineAt(index);
          const end = source.text.indexOf('\n', start);
          const place = placeInLine(source, cell, { number, start, next: end === -1 ? undefined : end + 1 });
          return placeInTable(place, number, labels.get(column));
        },
        (position) => others.placeOf(position, attribute),
      ),
    positionOf: (index, attribute) =>
      ask(
        index,
        () => {
          const [, { start }] = cellAt(index, attribute);
          return { file: source.file, line: rows.lineAt(index), col: start - rows.startAt(index) + 1 };
        },
        (position) => others.positionOf(position, attribute),
      ),
  };
}

/** The meaning of a cell in the column "group". */
function groupCalled(name: string): GroupIntent {
  return name === noGroup ? { kind: 'ungrouped' } : { kind: 'named', name };
}
