import type { PlacedEntries } from '../entries/placed-entries.ts';
import { createProblemList, mostProblems, type ProblemList } from '../problem-list.ts';
import { placeInLine, type SourceText } from '../sources/source-text.ts';
import { checkDigits, mayBeRounded } from './check-row.ts';
import { readHeader } from './columns.ts';
import { cellFor, isBlankRow, readCommonRow, rowIn, toRow } from './common-row.ts';
import { delimiterOf } from './delimiter.ts';
import { plainRowScanner, unitsOf } from './plain-rows.ts';
import { commonEntryReader } from './read-common-entry.ts';
import { tableColumns } from './table-columns.ts';
import { placeInTable, tableText } from './table-text.ts';

/**
 * The entries of a table in the dialect that nearly every table is written in, from the text at once: each row on a
 * line of its own, nothing wrong in any of them. Undefined for all else, which the general reader reads and explains.
 * 100,000 rows take a twelfth of the general reader's time: no tree of a row is made, and where a cell stands is read
 * again when it is asked for.
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
  let line = 0;
  do {
    if (row.next === text.length || !readCommonRow(row)) return undefined;
    line += 1;
  } while (isBlankRow(row));
  const header = toRow(row, 0);
  const columns = readHeader({ source, problems: createProblemList() }, header);
  if (columns === undefined) return undefined;

  const readEntry = commonEntryReader(row, columns);
  const units = unitsOf(text);
  const entries = tableColumns(text, units, linesFrom(text, row.next), firstIndex);
  const scanPlainRows = plainRowScanner(units, delimiter, columns, entries.addPlain);
  const rounded: number[] = [];
  while (row.next < text.length) {
    const before = entries.count;
    const start = scanPlainRows(row.next, line + 1);
    line += entries.count - before;
    row.next = start;
    if (start === text.length) break;
    line += 1;
    if (!readCommonRow(row)) return undefined;
    if (isBlankRow(row)) continue;
    const entry = readEntry(firstIndex + entries.count);
    if (entry === undefined) return undefined;
    if (entry.id !== undefined && mayBeRounded(entry.id, entry.current)) rounded.push(start);
    entries.add(entry, start, line);
  }

  const readAt = (start: number) => {
    const found = rowIn(lineAt(text, start), delimiter);
    readCommonRow(found);
    return found;
  };
  const rowAt = (start: number, number: number) => toRow(readAt(start), number, start);
  const table = tableText(source, header, ({ start }, line) => rowAt(startOfLine(text, start), line));
  for (const start of rounded.slice(0, mostProblems)) {
    checkDigits({ source: table, problems }, rowAt(start, 0), columns);
  }
  const placeOf: PlacedEntries['placeOf'] = (index, attribute) => {
    const start = entries.startAt(index);
    const number = entries.lineAt(index);
    const found = readAt(start);
    const column = cellFor(found, columns, attribute);
    const [from, until] = [found.starts[column] as number, found.ends[column] as number];
    const cell = { start: start + from, end: start + until };
    const place = placeInLine(source, cell, { number, start, next: nextLine(text, start) });
    return placeInTable(place, number, header.cells[column]?.text);
  };
  return {
    ...entries,
    placeOf,
    spotOf(index, attribute) {
      const cell = entries.cellAt(index, attribute);
      if (cell === undefined) return placeOf(index, attribute);
      return { file: source.file, line: entries.lineAt(index), col: cell - entries.startAt(index) + 1 };
    },
  };
}

/** Old Macs ended lines with it. */
function hasLoneReturn(text: string): boolean {
  return text.includes('\r') && /\r(?!\n)/.test(text);
}

function linesFrom(text: string, start: number): number {
  let count = 0;
  for (let at = start; at < text.length; at = nextLine(text, at) ?? text.length) count += 1;
  return count;
}

function startOfLine(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function nextLine(text: string, start: number): number | undefined {
  const end = text.indexOf('\n', start);
  return end === -1 ? undefined : end + 1;
}

function lineAt(text: string, start: number): string {
  const next = nextLine(text, start);
  return text.slice(start, next === undefined ? undefined : next - 1);
}
