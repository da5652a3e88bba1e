import { joinEntries, type PlacedEntries, placedEntries } from '../entries/placed-entries.ts';
import { type PlacedEntry, readEntry } from '../entries/read-entry.ts';
import type { SourceText } from '../sources/source-text.ts';
import type { ProblemList } from '../values/problem-list.ts';
import { type Reading, report } from '../values/reading.ts';
import { checkRow } from './check-row.ts';
import { readHeader } from './columns.ts';
import { rowToTree } from './row-to-tree.ts';
import { splitCsv } from './split-csv.ts';
import { rowAt, tableText } from './table-text.ts';

/** Reads the entries of any table, valid or not, and reports every problem. */
export function readFullTable(source: SourceText, problems: ProblemList, firstIndex: number): PlacedEntries {
  const rows = splitCsv(source);
  if (!rows.ok) {
    for (const each of rows.problems) problems.add(each);
    return joinEntries([]);
  }
  const [header, ...body] = rows.value;
  const table = tableText(source, header, (span) => rowAt(rows.value, span));
  const reading: Reading = { source: table, problems };
  if (header === undefined) {
    report(reading, { start: 0, end: 0 }, 'file-empty', 'the table is empty', {
      hint: 'its first row names the columns, such as id,name,group',
    });
    return joinEntries([]);
  }
  const columns = readHeader(reading, header);
  if (columns === undefined) return joinEntries([]);
  const entries: PlacedEntry[] = [];
  for (const row of body) {
    if (problems.isFull()) break;
    if (!checkRow(reading, row, columns)) continue;
    const placed = readEntry(reading, rowToTree(row, columns), firstIndex + entries.length);
    if (placed !== undefined) entries.push(placed);
  }
  return placedEntries(table, entries);
}
