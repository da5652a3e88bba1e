import { joinEntries, type PlacedEntries } from '../entries/placed-entries.ts';
import { decodeSource, type Source } from '../sources/decode-source.ts';
import type { ProblemList } from '../values/problem-list.ts';
import { readFastTable, readFullTable } from './fast-table.ts';

/** Reads the entries of a CSV file, one per row, numbered from `firstIndex`, with the same checks as YAML. */
export function readTable(source: Source, problems: ProblemList, firstIndex: number): PlacedEntries {
  const decoded = decodeSource(source, 'csv');
  if (!decoded.ok) {
    for (const each of decoded.problems) problems.add(each);
    return joinEntries([]);
  }
  const fast = problems.isFull() ? undefined : readFastTable(decoded.value, problems, firstIndex);
  return fast ?? readFullTable(decoded.value, problems, firstIndex);
}
