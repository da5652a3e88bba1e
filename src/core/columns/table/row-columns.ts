import { hashesOf } from '../text-hash.ts';
import type { PlainRow } from './plain-rows.ts';

/**
 * The rows of a table in order. A plain row is kept as the offsets of its cells in the text; other rows only as their
 * start offset.
 */
export interface RowColumns {
  readonly count: number;
  addPlain(row: PlainRow): void;
  /** Returns the index of the row. The values of the row are kept elsewhere. */
  addOther(start: number, line: number): number;
  isPlainAt(index: number): boolean;
  /** The offset of a row in the text, and its line. */
  startAt(index: number): number;
  lineAt(index: number): number;
  /** These return values of plain rows; undefined for an empty cell. */
  idAt(index: number): string | undefined;
  nameAt(index: number): string | undefined;
  /** An index in `groups`; 0 for an empty cell. */
  groupAt(index: number): number;
  readonly groups: readonly string[];
  /** The cell of a plain row with its quotation marks; undefined for an empty cell. */
  cellAt(index: number, column: PlainColumn): TextSpan | undefined;
  /** `hashOf` the ids of plain rows; -1 for empty cells. */
  idHashes(): Float64Array;
  /** `hashOfFolded` the names of plain rows; -1 for empty cells and for names that are not ASCII. */
  nameHashes(): Float64Array;
}

export type PlainColumn = 'id' | 'name' | 'group';

export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;

/** For up to `most` rows of a text. A plain row needs no object here. */
export function rowColumns(text: string, units: Uint8Array, most: number): RowColumns {
  const starts = new Uint32Array(most);
  const lines = new Uint32Array(most);
  const cells = {
    id: { starts: new Uint32Array(most), ends: new Uint32Array(most) },
    name: { starts: new Uint32Array(most), ends: new Uint32Array(most) },
    group: { starts: new Uint32Array(most), ends: new Uint32Array(most) },
  };
  const { id, name, group } = cells;
  const groups: string[] = [''];
  const groupIndexes = new Map<string, number>();
  const groupColumn = new Uint32Array(most);
  const isOther = new Uint8Array(most);
  let count = 0;

  const begin = (start: number, line: number) => {
    starts[count] = start;
    lines[count] = line;
    count += 1;
    return count - 1;
  };
  const groupIndexOf = (group: string): number => {
    const known = groupIndexes.get(group);
    if (known !== undefined) return known;
    groupIndexes.set(group, groups.length);
    return groups.push(group) - 1;
  };
  const textAt = (column: { readonly starts: Uint32Array; readonly ends: Uint32Array }, index: number) => {
    const end = column.ends[index] as number;
    return end === 0 ? undefined : text.slice(column.starts[index], end);
  };

  return {
    get count() {
      return count;
    },
    groups,
    addPlain(row) {
      const index = begin(row.start, row.line);
      if (row.idEnd !== 0) {
        id.starts[index] = row.idStart;
        id.ends[index] = row.idEnd;
      }
      if (row.nameEnd !== 0) {
        name.starts[index] = row.nameStart;
        name.ends[index] = row.nameEnd;
      }
      if (row.groupEnd !== 0) {
        group.starts[index] = row.groupStart;
        group.ends[index] = row.groupEnd;
        groupColumn[index] = groupIndexOf(text.slice(row.groupStart, row.groupEnd));
      }
    },
    addOther(start, line) {
      const index = begin(start, line);
      isOther[index] = 1;
      return index;
    },
    isPlainAt: (index) => isOther[index] === 0,
    startAt: (index) => starts[index] as number,
    lineAt: (index) => lines[index] as number,
    idAt: (index) => textAt(id, index),
    nameAt: (index) => textAt(name, index),
    groupAt: (index) => groupColumn[index] as number,
    cellAt(index, column) {
      const start = cells[column].starts[index] as number;
      const end = cells[column].ends[index] as number;
      if (end === 0) return undefined;
      return start > 0 && units[start - 1] === quote ? { start: start - 1, end: end + 1 } : { start, end };
    },
    idHashes: () => hashesOf(units, { ...id, count }),
    nameHashes: () => hashesOf(units, { ...name, count }, true),
  };
}
