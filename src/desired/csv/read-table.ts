import { type PlacedEntry, readEntry } from '../entries/read-entry.ts';
import type { ProblemList } from '../problem-list.ts';
import { decodeSource, type Source } from '../sources/decode-source.ts';
import { type Reading, report } from '../values/reading.ts';
import { checkRow } from './check-row.ts';
import { readHeader } from './columns.ts';
import { rowToTree } from './row-to-tree.ts';
import { splitCsv } from './split-csv.ts';
import { tableText } from './table-text.ts';

/** The entries of a CSV file, numbered from `firstIndex`: one a row, by the same checks as in YAML. */
export function readTable(source: Source, problems: ProblemList, firstIndex: number): readonly PlacedEntry[] {
  const decoded = decodeSource(source, 'csv');
  const rows = decoded.ok ? splitCsv(decoded.value) : decoded;
  if (!decoded.ok || !rows.ok) {
    for (const each of rows.problems) problems.add(each);
    return [];
  }
  const reading: Reading = { source: tableText(decoded.value, rows.value), problems };
  const [header, ...body] = rows.value;
  if (header === undefined) {
    report(reading, { start: 0, end: 0 }, 'file-empty', 'the table is empty', {
      hint: 'its first row names the columns, such as id,name,group',
    });
    return [];
  }
  const columns = readHeader(reading, header);
  if (columns === undefined) return [];
  const entries: PlacedEntry[] = [];
  for (const row of body) {
    if (problems.isFull()) break;
    if (!checkRow(reading, row, columns)) continue;
    const placed = readEntry(reading, rowToTree(row, columns), firstIndex + entries.length);
    if (placed !== undefined) entries.push(placed);
  }
  return entries;
}
