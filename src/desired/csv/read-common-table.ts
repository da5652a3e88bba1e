import type { Entry } from '../../model/desired.ts';
import type { PlacedEntries } from '../entries/placed-entries.ts';
import { placeOfEntry } from '../entries/read-entry.ts';
import { createProblemList, mostProblems, type ProblemList } from '../problem-list.ts';
import type { SourceText } from '../sources/source-text.ts';
import { checkDigits, mayBeRounded } from './check-row.ts';
import { readHeader } from './columns.ts';
import { isBlankRow, readCommonRow, rowIn, toRow } from './common-row.ts';
import { delimiterOf } from './delimiter.ts';
import { commonEntryReader } from './read-common-entry.ts';
import { rowToTree } from './row-to-tree.ts';
import { tableText } from './table-text.ts';

/**
 * The entries of a table in the dialect that nearly every table is written in, from the text at once: each row on a
 * line of its own, nothing wrong in any of them. Undefined for all else, which the general reader reads and explains.
 * 100,000 rows take a twelfth of the general reader's time: no tree of a row is made before its place is asked for.
 */
export function readCommonTable(
  source: SourceText,
  problems: ProblemList,
  firstIndex: number,
): PlacedEntries | undefined {
  const { text } = source;
  if (!text.isWellFormed() || hasLoneReturn(text)) return undefined;
  const delimiter = delimiterOf(text);
  const row = rowIn(text, delimiter);
  do {
    if (row.next === text.length || !readCommonRow(row)) return undefined;
  } while (isBlankRow(row));
  const header = toRow(row, 0);
  const columns = readHeader({ source, problems: createProblemList() }, header);
  if (columns === undefined) return undefined;

  const readEntry = commonEntryReader(row, columns);
  const entries: Entry[] = [];
  const starts: number[] = [];
  const rounded: number[] = [];
  while (row.next < text.length) {
    if (!readCommonRow(row)) return undefined;
    if (isBlankRow(row)) continue;
    const entry = readEntry(firstIndex + entries.length);
    if (entry === undefined) return undefined;
    if (entry.id !== undefined && mayBeRounded(entry.id, entry.current)) rounded.push(row.start);
    entries.push(entry);
    starts.push(row.start);
  }

  const rowAt = (start: number, number: number) => {
    const line = rowIn(lineAt(text, start), delimiter);
    readCommonRow(line);
    return toRow(line, number, start);
  };
  const table = tableText(source, header, ({ start }, line) => rowAt(startOfLine(text, start), line));
  for (const start of rounded.slice(0, mostProblems)) {
    checkDigits({ source: table, problems }, rowAt(start, 0), columns);
  }
  return {
    entries,
    placeOf({ index }, attribute) {
      const entry = entries[index - firstIndex] as Entry;
      const node = rowToTree(rowAt(starts[index - firstIndex] as number, 0), columns);
      return placeOfEntry({ entry, source: table, node }, attribute);
    },
  };
}

/** Old Macs ended lines with it. */
function hasLoneReturn(text: string): boolean {
  return text.includes('\r') && /\r(?!\n)/.test(text);
}

function startOfLine(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start);
  return end === -1 ? text.slice(start) : text.slice(start, end);
}
