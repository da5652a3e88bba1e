import { areInOrder } from '../are-distinct.ts';
import { hashesOf } from '../text-hash.ts';
import { type PlainColumn, type PlainRow, plainColumns } from './plain-row.ts';

/** The rows of a text in order. A plain row is kept as the offsets of its values in the text. */
export interface RowColumns {
  readonly count: number;
  addPlain(row: PlainRow): void;
  /** Adds a row whose values are kept elsewhere. */
  addOther(): void;
  isPlainAt(index: number): boolean;
  /** The indexes of the rows that are not plain. */
  readonly others: readonly number[];
  /** These return values of plain rows; undefined for an empty value. */
  idAt(index: number): string | undefined;
  nameAt(index: number): string | undefined;
  /** An index in `groups`; 0 for an empty value. */
  groupAt(index: number): number;
  readonly groups: readonly string[];
  /** A value of a plain row with its quotation marks. If it is empty, or without a column, the first value with its key. */
  spanAt(index: number, column?: PlainColumn): RowSpan;
  /** Is the id of each plain row greater than all before it of its length? */
  hasIdsInOrder(): boolean;
  /** `hashOf` the ids of plain rows; -1 for empty values. */
  idHashes(): Float64Array;
  /** `hashOfFolded` the names of plain rows; -1 for empty values and for names that are not ASCII. */
  nameHashes(): Float64Array;
}

export interface RowSpan {
  readonly start: number;
  readonly end: number;
  /** The line of `start`. */
  readonly line: number;
}

interface TextColumn {
  starts: Uint32Array;
  ends: Uint32Array;
}

/** The columns of texts with shorter rows grow. */
const usualLength = 32;

const lineFeed = 0x0a;
const doubleQuote = 0x22;
const singleQuote = 0x27;

/** For rows of a text with these units. A plain row needs no object here. */
export function rowColumns(text: string, units: Uint8Array): RowColumns {
  let room = Math.ceil(units.length / usualLength);
  let heads = new Uint32Array(room);
  let lines = new Uint32Array(room);
  let groupIndexes = new Uint32Array(room);
  const textColumn = (): TextColumn => ({ starts: new Uint32Array(room), ends: new Uint32Array(room) });
  const [id, name, group] = [textColumn(), textColumn(), textColumn()];
  const columns = [id, name, group];
  const others: number[] = [];
  const groups: string[] = [''];
  const knownGroups = new Map<string, number>();
  let count = 0;

  const grow = () => {
    room *= 2;
    heads = longer(heads, room);
    lines = longer(lines, room);
    groupIndexes = longer(groupIndexes, room);
    for (const column of columns) {
      column.starts = longer(column.starts, room);
      column.ends = longer(column.ends, room);
    }
  };
  const groupIndexOf = (called: string): number => {
    const known = knownGroups.get(called);
    if (known !== undefined) return known;
    knownGroups.set(called, groups.length);
    return groups.push(called) - 1;
  };
  const textAt = ({ starts, ends }: TextColumn, index: number) => {
    const end = ends[index] as number;
    return end === 0 ? undefined : text.slice(starts[index], end);
  };
  const endOfFirst = (index: number) =>
    Math.min(...columns.flatMap(({ ends }) => (ends[index] === 0 ? [] : (ends[index] as number))));

  return {
    get count() {
      return count;
    },
    groups,
    others,
    addPlain({ start, line, starts, ends }) {
      if (count === room) grow();
      heads[count] = start;
      lines[count] = line;
      id.starts[count] = starts[0] as number;
      id.ends[count] = ends[0] as number;
      name.starts[count] = starts[1] as number;
      name.ends[count] = ends[1] as number;
      group.starts[count] = starts[2] as number;
      group.ends[count] = ends[2] as number;
      const called = textAt(group, count);
      if (called !== undefined) groupIndexes[count] = groupIndexOf(called);
      count += 1;
    },
    addOther() {
      if (count === room) grow();
      others.push(count);
      count += 1;
    },
    isPlainAt: (index) => id.ends[index] !== 0 || name.ends[index] !== 0,
    idAt: (index) => textAt(id, index),
    nameAt: (index) => textAt(name, index),
    groupAt: (index) => groupIndexes[index] as number,
    spanAt(index, column) {
      const head = heads[index] as number;
      const own = column && columns[plainColumns.indexOf(column)];
      const isOwn = own !== undefined && own.ends[index] !== 0;
      const end = isOwn ? (own.ends[index] as number) : endOfFirst(index);
      const marks = units[end] === doubleQuote || units[end] === singleQuote ? 1 : 0;
      const start = isOwn ? (own.starts[index] as number) - marks : head;
      let line = lines[index] as number;
      for (let at = head; at < start; at += 1) if (units[at] === lineFeed) line += 1;
      return { start, end: end + marks, line };
    },
    hasIdsInOrder: () => areInOrder(units, { ...id, count }),
    idHashes: () => hashesOf(units, { ...id, count }),
    nameHashes: () => hashesOf(units, { ...name, count }, true),
  };
}

function longer(column: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length);
  copy.set(column);
  return copy;
}
